import type { PermissionMode } from './permissions.js';

/** The hook events that occur in this version. */
export const HOOK_EVENTS = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'TaskCreated',
  'TaskCompleted',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What every hook is told. */
export interface BaseHookInput {
  session_id: string;
  /** Empty while a session keeps no transcript. */
  transcript_path: string;
  cwd: string;
  permission_mode: PermissionMode;
  agent_id?: string;
  agent_type?: string;
}

export interface UserPromptSubmitHookInput extends BaseHookInput {
  hook_event_name: 'UserPromptSubmit';
  prompt: string;
}

interface ToolHookInput extends BaseHookInput {
  tool_name: string;
  tool_input: Record<string, unknown>;
  tool_use_id: string;
}

export interface PreToolUseHookInput extends ToolHookInput {
  hook_event_name: 'PreToolUse';
}

export interface PostToolUseHookInput extends ToolHookInput {
  hook_event_name: 'PostToolUse';
  /** The structured result. */
  tool_response: unknown;
  duration_ms: number;
}

export interface PostToolUseFailureHookInput extends ToolHookInput {
  hook_event_name: 'PostToolUseFailure';
  error: string;
  is_interrupt: boolean;
  duration_ms: number;
}

export interface StopHookInput extends BaseHookInput {
  hook_event_name: 'Stop';
  /** True when this turn goes on because a Stop hook blocked the last end. */
  stop_hook_active: boolean;
  last_assistant_message: string;
  background_tasks: Array<{ task_id: string; description: string; status: string }>;
  session_crons: [];
}

interface TaskHookInput extends BaseHookInput {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
  list_id: string;
  old_status: string | null;
  new_status: string;
}

export interface TaskCreatedHookInput extends TaskHookInput {
  hook_event_name: 'TaskCreated';
}

export interface TaskCompletedHookInput extends TaskHookInput {
  hook_event_name: 'TaskCompleted';
}

export type HookInput =
  | UserPromptSubmitHookInput
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | StopHookInput
  | TaskCreatedHookInput
  | TaskCompletedHookInput;

/** What a hook may answer. `{}` and undefined change nothing; unknown keys are ignored. */
export interface HookJSONOutput {
  /** False stops the run after this event, whatever else is answered. Default true. */
  continue?: boolean;
  /** Shown to the user when `continue` is false. */
  stopReason?: string;
  /** Shown to the user. */
  systemMessage?: string;
  suppressOutput?: boolean;
  decision?: 'approve' | 'block';
  reason?: string;
  hookSpecificOutput?: {
    hookEventName?: string;
    permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
    permissionDecisionReason?: string;
    /** The whole input in its new form. */
    updatedInput?: Record<string, unknown>;
    additionalContext?: string;
    updatedToolOutput?: unknown;
  };
}

/** `signal` is aborted at the time limit and when the run is interrupted. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => HookReturn | Promise<HookReturn>;

// biome-ignore lint/suspicious/noConfusingVoidType: a host's function that returns nothing is a good hook.
type HookReturn = HookJSONOutput | undefined | void;

export interface HookCallbackMatcher {
  /** Tool names as a word, a list (`Edit|Write`), or a regular expression; absent, `''` and `*` match all. */
  matcher?: string;
  hooks: HookCallback[];
  /** Seconds for each callback. Default 600; 30 for UserPromptSubmit. */
  timeout?: number;
  /** What a throw or a junk answer means. `continue` (default) reports it and goes on, `block` blocks the action. */
  onFailure?: 'continue' | 'block';
}

export type HookMatchers = Partial<Record<HookEvent, HookCallbackMatcher[]>>;
