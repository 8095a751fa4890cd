import { WaymarkError } from '../errors.js';
import type { Task } from './task.js';

/** What a task id or a list folder may be made of: safe as a file name on every system. */
const SAFE_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Windows opens these as devices, whatever the folder and the extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Whether the text can be the name of a file or folder of a list. */
export function isSafeName(name: string): boolean {
  return SAFE_NAME.test(name) && !DEVICE_NAME.test(name);
}

/** Throws `invalid_id` when the text cannot name a task. */
export function checkTaskId(id: string): void {
  if (typeof id === 'string' && isSafeName(id)) return;
  throw new WaymarkError(
    'invalid_id',
    `${JSON.stringify(String(id).slice(0, 80))} cannot be a task id: 1 to 100 letters, digits, "-" and "_", as TaskList shows it.`,
  );
}

/** The number of an id, or undefined for ids that are no numbers or too large to count on from. */
function taskNumber(id: string): number | undefined {
  if (!/^\d+$/.test(id)) return undefined;
  const number = Number(id);
  return number < Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** The highest number among the ids; 0 when there is none. */
export function highestNumber(ids: Iterable<string>): number {
  let highest = 0;
  for (const id of ids) highest = Math.max(highest, taskNumber(id) ?? 0);
  return highest;
}

/** Order of a list: by number, then the ids that are no numbers. */
export function compareTaskIds(a: string, b: string): number {
  const left = taskNumber(a) ?? Number.POSITIVE_INFINITY;
  const right = taskNumber(b) ?? Number.POSITIVE_INFINITY;
  if (left !== right) return left < right ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts a copy by id. */
export function sortTasks(tasks: Iterable<Task>): Task[] {
  return [...tasks].sort((a, b) => compareTaskIds(a.id, b.id));
}

/** The tasks by id, for lookups along edges. */
export function tasksById(tasks: Iterable<Task>): Map<string, Task> {
  return new Map([...tasks].map((task) => [task.id, task]));
}
