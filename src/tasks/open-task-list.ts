import { join, resolve } from 'node:path';
import { configDir, type Environment, environment } from '../environment.js';
import { FileTaskStore } from './file-store.js';
import { chooseListId } from './list-id.js';
import type { TaskStore } from './task-store.js';

export interface OpenTaskListOptions {
  /** The list's name. Default: `CLAUDE_CODE_TASK_LIST_ID`, then `teamName`, then `sessionId`. */
  listId?: string | undefined;
  /** The folder that holds the lists. Default `<config>/tasks`, which a Claude Code process shares and sweeps. */
  dir?: string | undefined;
  /** Default: the environment of this process. */
  env?: Environment | undefined;
  sessionId?: string | undefined;
  teamName?: string | undefined;
  /** How long a change waits for a lock, milliseconds. Default 30,000. */
  lockWaitMs?: number | undefined;
  /** Told once about each task file that cannot be used. */
  onWarning?: ((message: string) => void) | undefined;
}

/** The folder that holds the task lists: `dir`, else `tasks` in the config folder. Absolute. */
function taskListsRoot(options: { dir?: string | undefined; env?: Environment | undefined }): string {
  return options.dir?.trim() ? resolve(options.dir) : join(configDir(environment(options.env)), 'tasks');
}

/**
 * A task list on disk, shared with every process that opens the same one. Makes no folder before the first write.
 * Throws `invalid_options` when nothing names a list.
 */
export function openTaskList(idOrOptions: string | OpenTaskListOptions): TaskStore {
  const options = typeof idOrOptions === 'string' ? { listId: idOrOptions } : idOrOptions;
  const { listId } = chooseListId(options);
  const { lockWaitMs, onWarning } = options;
  return new FileTaskStore({ dir: taskListsRoot(options), listId, lockWaitMs, onWarning });
}
