import { type Environment, environment, newId } from './environment.js';
import { isAgentSwarmsEnabled, type PlanningMode } from './gate.js';
import { Jobs } from './jobs/jobs.js';
import { MemoryTaskStore } from './tasks/memory-store.js';
import { openTaskList } from './tasks/open-task-list.js';
import { noTaskHooks, type TaskHooks } from './tasks/task-hooks.js';
import type { TaskStore } from './tasks/task-store.js';
import { TodoLists } from './todo/todo-lists.js';
import type { ToolContext } from './tool.js';
import { Workspace } from './workspace/workspace.js';

/** What belongs to a session; a call adds its `toolUseId` and `signal`. */
export type SessionContext = Omit<ToolContext, 'toolUseId' | 'signal'>;

export interface ToolContextOptions {
  /** Default: a new UUID. */
  sessionId?: string | undefined;
  /** Default: the environment of this process. */
  env?: Environment | undefined;
  /** Default: the folder of this process. */
  cwd?: string | undefined;
  additionalDirectories?: readonly string[] | undefined;
  /** With `tasks`, the task list is opened on disk; else it is one in memory. Default `todo`. */
  planning?: PlanningMode | undefined;
  tasks?:
    | { listId?: string | undefined; dir?: string | undefined; lockWaitMs?: number | undefined }
    | undefined;
  team?: string | undefined;
  agentName?: string | undefined;
  taskHooks?: TaskHooks | undefined;
  /** Default: the nudge is on, without a sub-agent tool to name. */
  verification?: ToolContext['verification'] | undefined;
  /** Told about task files that cannot be used. Default: `process.emitWarning`. */
  warn?: ((text: string) => void) | undefined;
}

/**
 * A context for tools, of real parts with their defaults. For a loop of one's own: `tool.call(input, { ...context,
 * toolUseId, signal })`, and at the end `context.jobs.close()` and `context.tasks.close()`.
 */
export function createToolContext(options: ToolContextOptions = {}): SessionContext {
  const { agentName, team } = options;
  const sessionId = options.sessionId ?? newId();
  const env = environment(options.env);
  const workspace = new Workspace({
    cwd: options.cwd ?? '.',
    additionalDirectories: options.additionalDirectories ?? [],
  });
  return {
    sessionId,
    ...(agentName === undefined ? {} : { agentName }),
    ...(team === undefined ? {} : { teamName: team }),
    swarm: isAgentSwarmsEnabled({ env, team }),
    env,
    workspace,
    jobs: new Jobs(),
    todos: new TodoLists(),
    tasks: taskStore(options, sessionId, env),
    taskHooks: options.taskHooks ?? noTaskHooks,
    verification: options.verification ?? { enabled: true, agentTool: false },
  };
}

function taskStore(options: ToolContextOptions, sessionId: string, env: Environment): TaskStore {
  if (options.planning !== 'tasks') return new MemoryTaskStore();
  const warn = options.warn ?? ((text: string) => process.emitWarning(text, 'WaymarkWarning'));
  return openTaskList({ ...options.tasks, teamName: options.team, sessionId, env, onWarning: warn });
}
