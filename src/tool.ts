import type { z } from 'zod';
import type { Environment } from './environment.js';
import type { PlanningMode } from './gate.js';
import type { Jobs } from './jobs/jobs.js';
import type { ImageBlockParam, JsonSchema, TextBlockParam } from './protocol/api.js';
import type { TaskHooks } from './tasks/task-hooks.js';
import type { TaskStore } from './tasks/task-store.js';
import type { TodoLists } from './todo/todo-lists.js';
import type { Workspace } from './workspace/workspace.js';

/** What a tool does to the world; the permission flow decides by it. Planning tools are `none`: they never ask. */
export type ToolAccess =
  | { kind: 'none' }
  | { kind: 'read'; path?: string }
  | { kind: 'edit'; path: string }
  | { kind: 'execute'; command?: string };

/** What a call gives back. */
export interface ToolResult<Output = unknown> {
  /** The structured result: `tool_use_result` of the user message, `tool_response` of hooks. */
  data: Output;
  /** What the model reads. Empty text is sent as `(no output)`. */
  content: string | Array<TextBlockParam | ImageBlockParam>;
  /** True when the call failed and the model should do something about it. Default false. */
  isError?: boolean;
}

/** Everything a call may use. Parts belong to the session; `toolUseId` and `signal` to the one call. */
export interface ToolContext {
  readonly sessionId: string;
  /** Set inside a sub-agent. V1 lists are keyed by `agentId ?? sessionId`. */
  readonly agentId?: string;
  /** The agent's name in a team. */
  readonly agentName?: string;
  readonly teamName?: string;
  /** Whether several named agents share the task list (turns on auto-owner). */
  readonly swarm: boolean;
  readonly toolUseId: string;
  /** Aborted when the run is interrupted. Every wait must honour it. */
  readonly signal: AbortSignal;
  /** Environment that commands start with. */
  readonly env: Environment;
  readonly workspace: Workspace;
  readonly jobs: Jobs;
  readonly todos: TodoLists;
  readonly tasks: TaskStore;
  readonly taskHooks: TaskHooks;
  /** Tells an agent that a task is now its own. Absent where there are no teams. */
  readonly notifyOwner?: (assignment: {
    taskId: string;
    subject: string;
    description: string;
    owner: string;
    assignedBy: string;
  }) => Promise<void>;
  /** The verification nudge: off, or on with or without a sub-agent tool to name. */
  readonly verification: { enabled: boolean; agentTool: boolean };
}

export interface Tool<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  /** The name on the wire. */
  readonly name: string;
  /** Older names that the model may still use; not sent to it. */
  readonly aliases?: readonly string[];
  /** Sent to the model. Short: every sentence earns its tokens. */
  readonly description: string;
  readonly inputSchema: Schema;
  /** What is sent as `input_schema` when it is not derived from `inputSchema` (tools from elsewhere). */
  readonly inputJsonSchema?: JsonSchema;
  /** The planning modes this tool belongs to. Absent: all. */
  readonly planning?: readonly PlanningMode[];
  /** Offered only when the host names it in `tools`. Default false. */
  readonly optIn?: boolean;
  /** True when the call changes nothing. Default false. */
  isReadOnly?(input: z.output<Schema>): boolean;
  /** True when the call may run beside others. Default: the answer of `isReadOnly`. */
  isConcurrencySafe?(input: z.output<Schema>): boolean;
  /** What the call touches. Absent: `execute`, the strictest. */
  access?(input: z.output<Schema>, context: ToolContext): ToolAccess;
  /** Small repairs of what models send, before validation. Must not throw and must not change its argument. */
  repair?(input: unknown): unknown;
  /** Added to the error when the input does not fit the schema, e.g. the state the call failed to change. */
  explainInvalid?(input: unknown, context: ToolContext): Promise<string | undefined> | string | undefined;
  /** Text results longer than this are cut and saved to a file. Default: the session's limit. */
  readonly maxResultChars?: number;
  /** A throw means the call failed: it is answered with `is_error` and the error's text. */
  call(input: z.output<Schema>, context: ToolContext): Promise<ToolResult<Output>>;
}

/** The tool as the registry holds it, whatever its input. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools with different inputs has no narrower common type.
export type AnyTool = Tool<any, any>;

/** Gives a tool its types: input from the schema, output from `call`. */
export function defineTool<Schema extends z.ZodType, Output>(
  tool: Tool<Schema, Output>,
): Tool<Schema, Output> {
  return tool;
}
