import type { Task } from './task.js';

/** `blocked` carries the full text for the model, e.g. `TaskCreated hook feedback:` and the reasons. */
export type TaskHookVerdict = { blocked: false } | { blocked: true; feedback: string };

/** The hooks on the plan, as the tools see them. They never throw: a broken hook counts by its failure rule. */
export interface TaskHooks {
  /** After a new task is on disk; a block removes it again. */
  created(task: Task, listId: string): Promise<TaskHookVerdict>;
  /** Before a change to `completed` is written; a block leaves the task as it was. */
  completed(task: Task, listId: string): Promise<TaskHookVerdict>;
}

/** No hooks registered. */
export const noTaskHooks: TaskHooks = {
  created: async () => ({ blocked: false }),
  completed: async () => ({ blocked: false }),
};
