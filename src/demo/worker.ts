import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTaskList } from '../tasks/open-task-list.js';
import type { Task } from '../tasks/task.js';
import type { TaskStore } from '../tasks/task-store.js';
import { renameRest } from './job.js';

/** What a worker process is started with. */
export interface WorkerJob {
  /** Under this name it claims. */
  name: string;
  /** The folder that holds the task lists. */
  listsRoot: string;
  listId: string;
  /** The project. */
  folder: string;
}

export interface WorkerOutcome {
  name: string;
  pid: number;
  /** Ids of the tasks it was given and finished, in order. */
  claimed: string[];
  /** Claims that came too late: another worker had the task. */
  refused: number;
  /** Words changed. */
  changes: number;
}

/** The key in a task's metadata that names the file to work on. */
export const FILE_KEY = 'file';

/**
 * The whole life of a worker process: says that it is ready, waits for the word to start, so that all start at once,
 * claims and does tasks until none is free, tells its parent the outcome, and lets go of the channel.
 */
export async function runWorkerProcess(job: WorkerJob): Promise<void> {
  const orphaned = new AbortController();
  process.once('disconnect', () => orphaned.abort());
  const started = new Promise<void>((resolve) => {
    process.once('message', () => resolve());
    orphaned.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  process.send?.({ ready: job.name });
  await started;
  const outcome = await workOnList(job, orphaned.signal);
  if (process.connected) process.send?.(outcome, () => process.disconnect());
}

/** Claims free tasks one after the other and does them. Ends when no task is free, or on the signal. */
export async function workOnList(job: WorkerJob, signal: AbortSignal): Promise<WorkerOutcome> {
  const outcome: WorkerOutcome = { name: job.name, pid: process.pid, claimed: [], refused: 0, changes: 0 };
  const list = openTaskList({ listId: job.listId, dir: job.listsRoot, env: {} });
  try {
    while (!signal.aborted) {
      const free = (await list.list()).filter(isFree);
      if (free.length === 0) break;
      for (const task of free) {
        if (signal.aborted) break;
        const claim = await list.claim(task.id, job.name, { signal });
        if (!claim.ok) {
          outcome.refused += 1;
          continue;
        }
        outcome.claimed.push(task.id);
        outcome.changes += await doTask(list, claim.task, job.folder, signal);
      }
    }
  } finally {
    await list.close();
  }
  return outcome;
}

function isFree(task: Task): boolean {
  return task.status === 'pending' && !task.owner && typeof task.metadata?.[FILE_KEY] === 'string';
}

async function doTask(list: TaskStore, task: Task, folder: string, signal: AbortSignal): Promise<number> {
  await list.update(task.id, { status: 'in_progress' }, { signal });
  const path = join(folder, String(task.metadata?.[FILE_KEY]));
  const { text, changes } = renameRest(await readFile(path, 'utf8'));
  await writeFile(path, text);
  await list.update(task.id, { status: 'completed', metadata: { changes } }, { signal });
  return changes;
}
