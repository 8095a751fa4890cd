import { z } from 'zod';
import { inCallOrder } from '../tasks/call-order.js';
import { type TaskSummary, taskListText, taskSummaries } from '../tasks/task-list-text.js';
import { defineTool } from '../tool.js';

export interface TaskListOutput {
  tasks: TaskSummary[];
}

/**
 * V2: a line for each task, by number; tasks with `metadata._internal` are hidden. `data.tasks` holds all of them,
 * with open blockers only; the text is capped and says what it leaves out.
 */
export const TaskListTool = defineTool({
  name: 'TaskList',
  description:
    'Shows all tasks, a line each: number, status, subject, owner, open blockers. Look here for the next free task ' +
    '(pending, no owner, not blocked), lowest number first.',
  inputSchema: z.strictObject({}),
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => true,
  call(_input, { tasks, signal }) {
    return inCallOrder(tasks, { reads: true }, signal, async () => {
      const summaries = taskSummaries(await tasks.list());
      const data: TaskListOutput = { tasks: summaries };
      return { data, content: taskListText(summaries) };
    });
  },
});
