import type { CallResult, RequestedCall } from '../../src/dispatch/call-result.js';
import { Dispatch } from '../../src/dispatch/dispatch.js';
import { SessionHooks } from '../../src/hooks/session-hooks.js';
import { Permissions } from '../../src/permissions/permissions.js';
import type { HookMatchers } from '../../src/protocol/hooks.js';
import type { CanUseTool, PermissionMode } from '../../src/protocol/permissions.js';
import type { AnyTool } from '../../src/tool.js';
import { createToolContext, type ToolContextOptions } from '../../src/tool-context.js';

export interface DispatchSetup {
  tools: readonly AnyTool[];
  hooks?: HookMatchers;
  /** Default: `bypassPermissions`. */
  mode?: PermissionMode;
  allowedTools?: string[];
  disallowedTools?: string[];
  canUseTool?: CanUseTool;
  maxResultChars?: number;
  graceMs?: number;
  context?: ToolContextOptions;
}

/** A dispatch of real parts, and `run`, which gives the results of one answer's calls. */
export function dispatcher(setup: DispatchSetup) {
  const notices: string[] = [];
  const abort = new AbortController();
  const notice = (text: string) => notices.push(text);
  const hooks = new SessionHooks({
    matchers: setup.hooks,
    base: () => ({ session_id: 's', transcript_path: '', cwd: '/', permission_mode: 'default' }),
    signal: () => abort.signal,
    notice,
  });
  const context = createToolContext({ env: {}, taskHooks: hooks.taskHooks({}), ...setup.context });
  const dispatch = new Dispatch({
    tools: setup.tools,
    context,
    hooks,
    permissions: new Permissions({
      mode: setup.mode ?? 'bypassPermissions',
      allowedTools: setup.allowedTools ?? [],
      disallowedTools: setup.disallowedTools ?? [],
      canUseTool: setup.canUseTool,
      notice,
    }),
    maxResultChars: setup.maxResultChars ?? 30_000,
    explainUnknown: () => undefined,
    clock: () => 0,
    graceMs: setup.graceMs ?? 50,
  });
  const run = async (...calls: Array<[name: string, input?: unknown]>): Promise<CallResult[]> => {
    const results: CallResult[] = [];
    for await (const result of dispatch.run(requests(calls), abort.signal)) results.push(result);
    return results;
  };
  return { run, notices, abort, context };
}

function requests(calls: Array<[name: string, input?: unknown]>): RequestedCall[] {
  return calls.map(([name, input = {}], index) => ({
    block: { type: 'tool_use', id: `call_${index}`, name, input, caller: { type: 'direct' } },
  }));
}
