import type { AttentionSettings } from '../attention/settings.js';
import type { Environment } from '../environment.js';
import type { PlanningOption } from '../gate.js';
import type { HookMatchers } from './hooks.js';
import type { McpServerConfig } from './mcp.js';
import type { CanUseTool, PermissionMode } from './permissions.js';

/** Options of `query()`. An option that is not listed here is reported once, by name, and has no effect. */
export interface Options {
  /** Ends the run when aborted: the model call, running tools and their processes. */
  abortController?: AbortController;
  /** Folders beside `cwd` that tools may work in. Default none. */
  additionalDirectories?: string[];
  /** Needed for `permissionMode: 'bypassPermissions'`. Default false. */
  allowDangerouslySkipPermissions?: boolean;
  /** Rules for calls that run without asking: `Read`, `Bash(npm test:*)`, `mcp__server`. Names a planning tool to opt in. */
  allowedTools?: string[];
  /** Asked when no rule and no mode decides. Without it such a call is denied. */
  canUseTool?: CanUseTool;
  /** Default `process.cwd()`. */
  cwd?: string;
  /** Rules for calls that never run; a bare name takes the tool out of the session. */
  disallowedTools?: string[];
  /** The environment, in the place of `process.env` (it replaces, never merges). */
  env?: Environment;
  /** Command-line flags as `{ flag: value }`; those that Waymark has as options work. */
  extraArgs?: Record<string, string | null>;
  /** Callbacks by event. */
  hooks?: HookMatchers;
  /** Also yields the raw stream events. Default false. */
  includePartialMessages?: boolean;
  /** Most model answers in a run. Default: no limit. */
  maxTurns?: number;
  /** Most tokens of one answer. Default 32,000. */
  maxOutputTokens?: number;
  /** In-process tool servers by name. */
  mcpServers?: Record<string, McpServerConfig>;
  /** A model id or `sonnet`, `opus`, `haiku`, `fable`. Default `ANTHROPIC_MODEL`, else `claude-sonnet-5-5`. */
  model?: string;
  /** Default `default`. */
  permissionMode?: PermissionMode;
  /** Which planning tools. Default `auto`: the gate decides. */
  planning?: PlanningOption;
  /** Whether a person sits at a terminal; an input of the gate. Default false. */
  interactive?: boolean;
  /** When open items are put before the model again, or false for never. */
  reminders?: AttentionSettings;
  /** The id of the session, a UUID. Default: a new one. */
  sessionId?: string;
  /** Gets warnings, a line each. Default: the process's stderr. */
  stderr?: (line: string) => void;
  /** A text replaces the default prompt; the preset keeps it and takes an addition. */
  systemPrompt?: string | string[] | { type: 'preset'; preset: 'claude_code'; append?: string };
  /** V2 lists: a fixed list id, another root folder, the longest wait for a lock in milliseconds. */
  tasks?: { listId?: string; dir?: string; lockWaitMs?: number };
  /** Whether several agents share the list under a team's name. */
  team?: string;
  /** This agent's name in the team. */
  agentName?: string;
  /** The tools of the session by name; `[]` for none. Default: all that the planning mode offers. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Longest text of one tool result in characters before it is cut and saved to a file. Default 30,000. */
  maxToolResultChars?: number;
  /** Whether closing a list without a verifying step asks for one. Default true. */
  verificationNudge?: boolean;
}
