import { z } from 'zod';
import { openBlockers } from '../tasks/dependencies.js';
import type { Task } from '../tasks/task.js';
import { tasksById } from '../tasks/task-id.js';
import { repairTaskInput } from '../tasks/task-input.js';
import { defineTool } from '../tool.js';

const taskGetInputSchema = z.strictObject({ taskId: z.string() });

export interface TaskGetOutput {
  task: Pick<Task, 'id' | 'subject' | 'description' | 'status' | 'blocks' | 'blockedBy'> | null;
}

/** V2: one task in full. `data` is `{ task }`, null when there is none; `blockedBy` has the open blockers only. */
export const TaskGetTool = defineTool({
  name: 'TaskGet',
  description: 'One task in full: description, status, open blockers, what it blocks.',
  inputSchema: taskGetInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => true,
  repair: (input) => repairTaskInput(input, ['taskId']),
  async call({ taskId }, { tasks }) {
    const task = await tasks.get(taskId);
    if (task === null) return { data: { task: null } satisfies TaskGetOutput, content: 'Task not found' };
    const blockedBy = task.blockedBy.length === 0 ? [] : openBlockers(task, tasksById(await tasks.list()));
    const { id, subject, description, status, blocks } = task;
    const data: TaskGetOutput = { task: { id, subject, description, status, blocks, blockedBy } };
    const lines = [`Task #${id}: ${subject}`, `Status: ${status}`, `Description: ${description}`];
    if (blockedBy.length > 0) lines.push(`Blocked by: ${blockedBy.map((other) => `#${other}`).join(', ')}`);
    if (blocks.length > 0) lines.push(`Blocks: ${blocks.map((other) => `#${other}`).join(', ')}`);
    return { data, content: lines.join('\n') };
  },
});
