import type { PlanningOption } from '../gate.js';
import { splitRules } from '../permissions/rule-list.js';
import type { Options } from '../protocol/options.js';
import type { PermissionMode } from '../protocol/permissions.js';

/** Flags of the command that an option stands for. Values are checked with the options. */
const FLAGS: Readonly<Record<string, (value: string) => Options>> = {
  model: (model) => ({ model }),
  'max-turns': (value) => ({ maxTurns: Number(value) }),
  'permission-mode': (value) => ({
    permissionMode: (value === 'manual' ? 'default' : value) as PermissionMode,
  }),
  planning: (value) => ({ planning: value as PlanningOption }),
  allowedTools: (value) => ({ allowedTools: splitRules(value) }),
  disallowedTools: (value) => ({ disallowedTools: splitRules(value) }),
  tools: (value) => (value === 'default' ? {} : { tools: splitRules(value) }),
  'add-dir': (value) => ({ additionalDirectories: [value] }),
  'session-id': (sessionId) => ({ sessionId }),
  'system-prompt': (systemPrompt) => ({ systemPrompt }),
  'append-system-prompt': (append) => ({ systemPrompt: { type: 'preset', preset: 'claude_code', append } }),
  'include-partial-messages': () => ({ includePartialMessages: true }),
  'allow-dangerously-skip-permissions': () => ({ allowDangerouslySkipPermissions: true }),
  'dangerously-skip-permissions': () => ({
    allowDangerouslySkipPermissions: true,
    permissionMode: 'bypassPermissions',
  }),
};

const WITHOUT_VALUE: ReadonlySet<string> = new Set([
  'include-partial-messages',
  'allow-dangerously-skip-permissions',
  'dangerously-skip-permissions',
]);

/** `options.extraArgs` as options; flags that stand for none, or lack their value, are named. Pure. */
export function flagOptions(extraArgs: Readonly<Record<string, string | null>>): {
  options: Options;
  warnings: string[];
} {
  const warnings: string[] = [];
  let options: Options = {};
  for (const [given, value] of Object.entries(extraArgs)) {
    const name = given.replace(/^--/, '');
    const read = FLAGS[name];
    if (!read)
      warnings.push(`options.extraArgs['${given}'] is not supported in this version and has no effect.`);
    else if (value === null && !WITHOUT_VALUE.has(name)) {
      warnings.push(`options.extraArgs['${given}'] needs a value and has no effect.`);
    } else options = { ...options, ...read(value ?? '') };
  }
  return { options, warnings };
}
