import { openBlockers } from './dependencies.js';
import { taskLine } from './reminder.js';
import type { Task } from './task.js';
import { sortTasks, tasksById } from './task-id.js';

/** A task as a list shows it. `blockedBy` holds open blockers only; `owner` is absent when nobody has the task. */
export type TaskSummary = Pick<Task, 'id' | 'subject' | 'status' | 'owner' | 'blockedBy'>;

/** Most UTF-16 units of a list's text, about 2,500 tokens; some 200 tasks with subjects of ordinary length. */
const MAX_LIST_CHARS = 10_000;

/** The tasks that anybody may see, by number: those with `metadata._internal` are left out. */
export function visibleTasks(tasks: readonly Task[]): Task[] {
  return sortTasks(tasks.filter((task) => !task.metadata?._internal));
}

/** The visible tasks as a list shows them. Blockers are looked up among all tasks, hidden ones too. Pure. */
export function taskSummaries(tasks: readonly Task[]): TaskSummary[] {
  const byId = tasksById(tasks);
  return visibleTasks(tasks).map((task) => {
    const { id, subject, status, owner } = task;
    return { id, subject, status, ...(owner ? { owner } : {}), blockedBy: openBlockers(task, byId) };
  });
}

/**
 * A line a task, in the given order. When that is too long, what is in progress is kept first, then pending tasks,
 * then completed ones, and the last line counts what is left out. Pure.
 */
export function taskListText(tasks: readonly TaskSummary[]): string {
  if (tasks.length === 0) return 'No tasks found';
  const lines = tasks.map((task, index) => ({ status: task.status, index, text: taskLine(task) }));
  const order: Array<Task['status']> = ['in_progress', 'pending', 'completed'];
  const shown = new Set<number>();
  let left = MAX_LIST_CHARS;
  for (const line of [...lines].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))) {
    if (line.text.length + 1 > left) break;
    left -= line.text.length + 1;
    shown.add(line.index);
  }
  const text = lines.filter(({ index }) => shown.has(index)).map((line) => line.text);
  const hidden = lines.filter(({ index }) => !shown.has(index));
  if (hidden.length === 0) return text.join('\n');
  const counts = order
    .map((status) => ({ status, count: hidden.filter((line) => line.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  const rest = `… and ${hidden.length} more that are not shown: ${counts.join(', ')}. TaskGet shows any of them by number.`;
  return [...text, rest].join('\n');
}
