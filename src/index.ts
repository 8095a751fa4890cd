export type { AttentionDecision, AttentionInput } from './attention/attention.js';
export { attentionCheck } from './attention/attention.js';
export { verificationNudge } from './attention/nudge.js';
export {
  formatPlanReport,
  type PlanReport,
  type PlanReportItem,
  planReport,
} from './attention/plan-report.js';
export { reminderText } from './attention/reminder-text.js';
export type { AttentionSettings, ReminderSettings, ReminderView } from './attention/settings.js';
export { DEFAULT_REMINDERS } from './attention/settings.js';
export type { TurnEntry, TurnLog } from './attention/turn-log.js';
export { type ErrorCode, WaymarkError } from './errors.js';
export {
  explainTodoGate,
  type GateExplanation,
  type GateInputs,
  isAgentSwarmsEnabled,
  isTodoV2Enabled,
  type PlanningMode,
  type PlanningOption,
} from './gate.js';
export { createSdkMcpServer, tool } from './mcp/sdk-server.js';
export type * from './protocol/hooks.js';
export { HOOK_EVENTS } from './protocol/hooks.js';
export type {
  CallToolResult,
  McpServerConfig,
  SdkMcpServerConfig,
  SdkMcpToolDefinition,
  SdkToolExtra,
  ToolAnnotations,
} from './protocol/mcp.js';
export type * from './protocol/messages.js';
export type { Options } from './protocol/options.js';
export type {
  CanUseTool,
  PermissionDenial,
  PermissionMode,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from './protocol/permissions.js';
export type { Query } from './protocol/query.js';
export { query } from './query.js';
export { builtinTools, getTools, isEnabled, type RegistryInput } from './registry.js';
export { toolJsonSchema } from './schema/input-schema.js';
export { openBlockers } from './tasks/dependencies.js';
export { MemoryTaskStore } from './tasks/memory-store.js';
export { type OpenTaskListOptions, openTaskList } from './tasks/open-task-list.js';
export { type Task, type TaskStatus, taskSchema, taskStatusSchema } from './tasks/task.js';
export type {
  ClaimOptions,
  ClaimOutcome,
  NewTask,
  TaskChange,
  TaskEvent,
  TaskStore,
  TaskUpdateOutcome,
  UpdateOptions,
  WaitOptions,
} from './tasks/task-store.js';
export { renderTodos } from './todo/render-todos.js';
export { type Todo, type TodoStatus, todoSchema, todoStatusSchema } from './todo/todo.js';
export { type NumberedTodo, type TodoEvent, TodoLists } from './todo/todo-lists.js';
export { TodoManager } from './todo/todo-manager.js';
export {
  type AnyTool,
  defineTool,
  type Tool,
  type ToolAccess,
  type ToolContext,
  type ToolResult,
} from './tool.js';
export { createToolContext, type SessionContext, type ToolContextOptions } from './tool-context.js';
export { type BashOutput, BashTool } from './tools/bash.js';
export { type EditOutput, EditTool } from './tools/edit.js';
export { type GlobOutput, GlobTool } from './tools/glob.js';
export { type GrepOutput, GrepTool } from './tools/grep.js';
export { type ReadOutput, ReadTool } from './tools/read.js';
export { type TaskCreateOutput, TaskCreateTool } from './tools/task-create.js';
export { type TaskGetOutput, TaskGetTool } from './tools/task-get.js';
export { type TaskListOutput, TaskListTool } from './tools/task-list.js';
export { type TaskOutputOutput, TaskOutputTool } from './tools/task-output.js';
export { type TaskStopOutput, TaskStopTool } from './tools/task-stop.js';
export { type TaskUpdateOutput, TaskUpdateTool } from './tools/task-update.js';
export { TodoTool } from './tools/todo.js';
export { type TodoWriteOutput, TodoWriteTool } from './tools/todo-write.js';
export { type WriteOutput, WriteTool } from './tools/write.js';
