import type { ToolResultBlockParam, ToolUseBlock } from '../protocol/api.js';
import type { PermissionDenial } from '../protocol/permissions.js';
import type { AnyTool } from '../tool.js';

/** A call as the model sent it. `broken` says why its input could not be read. */
export interface RequestedCall {
  block: ToolUseBlock;
  broken?: string | undefined;
}

/** How one call ended. Exactly one for each call. */
export interface CallResult {
  call: ToolUseBlock;
  /** The input that ran, after repair, hooks and the person; as it was sent when nothing ran. */
  input: unknown;
  result: ToolResultBlockParam;
  /** `tool_use_result`. */
  data: unknown;
  ok: boolean;
  /** What hooks have to say to the model beside the result. */
  texts: string[];
  denial?: PermissionDenial;
  /** Set when the run must not go on. */
  stop?: { by: 'hook' | 'person' | 'limit'; text: string };
}

/** A call with its tool found and its input checked. */
export interface CheckedCall {
  tool: AnyTool;
  block: ToolUseBlock;
  input: Record<string, unknown>;
  texts: string[];
}

/** A call that failed: an `is_error` result with a text that is never empty. */
export function failedCall(call: ToolUseBlock, text: string): CallResult {
  const content = text.trim() || 'The call failed without a message.';
  return {
    call,
    input: call.input,
    result: { type: 'tool_result', tool_use_id: call.id, content, is_error: true },
    data: `Error: ${content}`,
    ok: false,
    texts: [],
  };
}
