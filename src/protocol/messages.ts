import type { PlanningMode } from '../gate.js';
import type { Message, MessageParam, RawMessageStreamEvent, Usage } from './api.js';
import type { PermissionDenial, PermissionMode } from './permissions.js';

/** What every message of a query carries. */
interface Envelope {
  uuid: string;
  session_id: string;
}

/** First message of a query: what the session has. */
export interface SDKSystemMessage extends Envelope {
  type: 'system';
  subtype: 'init';
  /** `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`, or `none`. */
  apiKeySource: string;
  /** Waymark's version, under the name that programs read. */
  claude_code_version: string;
  cwd: string;
  tools: string[];
  mcp_servers: Array<{ name: string; status: string }>;
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  output_style: string;
  skills: string[];
  plugins: Array<{ name: string; path: string }>;
  /** Which planning tools are on, and the input that decided. */
  planning: { mode: PlanningMode; reason: string; listId?: string; location?: string | null };
}

/** One whole answer of the model. */
export interface SDKAssistantMessage extends Envelope {
  type: 'assistant';
  message: Message;
  parent_tool_use_id: string | null;
  /** ISO 8601. */
  timestamp: string;
}

/** A prompt, or one tool result; `tool_use_result` is the structured output of that one call. */
export interface SDKUserMessage {
  type: 'user';
  message: MessageParam;
  parent_tool_use_id: string | null;
  /** True for what no person wrote: tool results, reminders, hook feedback. */
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  timestamp?: string;
  uuid?: string;
  session_id?: string;
}

/** A raw stream event, sent when `includePartialMessages` is on. */
export interface SDKPartialAssistantMessage extends Envelope {
  type: 'stream_event';
  event: RawMessageStreamEvent;
  parent_tool_use_id: null;
}

/** The model call failed and will be tried again. */
export interface SDKApiRetryMessage extends Envelope {
  type: 'system';
  subtype: 'api_retry';
  /** Which try failed, from 1. */
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  error_status: number | null;
  error: string;
}

/** Something a person should know that ends nothing: a broken hook, an option without effect. */
export interface SDKInformationalMessage extends Envelope {
  type: 'system';
  subtype: 'informational';
  content: string;
  level: 'info' | 'warning';
}

/** A background process ended. */
export interface SDKTaskNotificationMessage extends Envelope {
  type: 'system';
  subtype: 'task_notification';
  task_id: string;
  status: 'completed' | 'failed' | 'stopped';
  output_file: string;
  summary: string;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  /** Null when the model's price is not known. */
  costUSD: number | null;
  /** Null when it is not known. */
  contextWindow: number | null;
  maxOutputTokens: number;
}

/** Why the run ended, finer than `subtype`. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'api_error'
  | 'model_error'
  | 'prompt_too_long'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'blocking_limit';

interface ResultCommon extends Envelope {
  type: 'result';
  duration_ms: number;
  /** Time spent waiting for the model, retries included. */
  duration_api_ms: number;
  /** Model answers, never more than `maxTurns`. */
  num_turns: number;
  stop_reason: string | null;
  /** Null when a model was used whose price is not known. */
  total_cost_usd: number | null;
  usage: Usage;
  modelUsage: Record<string, ModelUsage>;
  permission_denials: PermissionDenial[];
  terminal_reason: TerminalReason;
}

export interface SDKResultSuccess extends ResultCommon {
  subtype: 'success';
  is_error: false;
  /** The model's last text. */
  result: string;
}

export interface SDKResultError extends ResultCommon {
  subtype: 'error_during_execution' | 'error_max_turns';
  is_error: true;
  /** What went wrong, at least one entry. */
  errors: string[];
  /** HTTP status of the failed model call. */
  api_error_status?: number | null;
  /** The model service's id of the failed call. */
  request_id?: string | null;
  /** Set when the model refused: the category it gave, when it gave one. */
  refusal?: { category: string | null };
}

/** Exactly one for each query, the last message. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

export type SDKMessage =
  | SDKSystemMessage
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKPartialAssistantMessage
  | SDKApiRetryMessage
  | SDKInformationalMessage
  | SDKTaskNotificationMessage
  | SDKResultMessage;
