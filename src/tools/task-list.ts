import { z } from 'zod';
import { oneLine } from '../attention/plan-item.js';
import { openBlockers } from '../tasks/dependencies.js';
import type { Task } from '../tasks/task.js';
import { tasksById } from '../tasks/task-id.js';
import { defineTool } from '../tool.js';

export interface TaskListOutput {
  tasks: Array<Pick<Task, 'id' | 'subject' | 'status' | 'owner' | 'blockedBy'>>;
}

/** UTF-16 units of one subject, and of the whole text. The list is read often and must not fill the context. */
const MAX_SUBJECT_CHARS = 200;
const MAX_CHARS = 16_000;

/**
 * V2: the list, a line a task, by number. `data` is `{ tasks }`, all of them, with open blockers only. Tasks with
 * `metadata._internal` are hidden. In a text that would grow too long, completed tasks are left out first.
 */
export const TaskListTool = defineTool({
  name: 'TaskList',
  description: 'All tasks, a line each: number, status, subject, owner, open blockers.',
  inputSchema: z.strictObject({}),
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => true,
  async call(_input, { tasks }) {
    const all = await tasks.list();
    const byId = tasksById(all);
    const visible = all.filter((task) => !task.metadata?._internal);
    const data: TaskListOutput = {
      tasks: visible.map((task) => ({
        id: task.id,
        subject: task.subject,
        status: task.status,
        ...(task.owner === undefined ? {} : { owner: task.owner }),
        blockedBy: openBlockers(task, byId),
      })),
    };
    return { data, content: listText(data.tasks) };
  },
});

type Row = TaskListOutput['tasks'][number];

function listText(rows: readonly Row[]): string {
  if (rows.length === 0) return 'No tasks found';
  const whole = rows.map(line).join('\n');
  if (whole.length <= MAX_CHARS) return whole;
  const open = rows.filter((row) => row.status !== 'completed');
  const lines: string[] = [];
  let room = MAX_CHARS - 120;
  for (const row of open) {
    room -= line(row).length + 1;
    if (room < 0) break;
    lines.push(line(row));
  }
  const left = [
    ...(open.length > lines.length ? [`${open.length - lines.length} more open`] : []),
    ...(rows.length > open.length ? [`${rows.length - open.length} completed`] : []),
  ];
  return [
    ...lines,
    `… and ${left.join(', ')}, left out here; TaskGet shows any of the ${rows.length} by its number.`,
  ].join('\n');
}

function line({ id, status, subject, owner, blockedBy }: Row): string {
  const blockers =
    blockedBy.length > 0 ? ` [blocked by ${blockedBy.map((other) => `#${other}`).join(', ')}]` : '';
  return `#${id} [${status}] ${oneLine(subject, MAX_SUBJECT_CHARS)}${owner === undefined ? '' : ` (${owner})`}${blockers}`;
}
