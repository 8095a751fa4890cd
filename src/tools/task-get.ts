import { z } from 'zod';
import { inCallOrder } from '../tasks/call-order.js';
import { openBlockers } from '../tasks/dependencies.js';
import type { Task } from '../tasks/task.js';
import { tasksById } from '../tasks/task-id.js';
import { repairTaskInput } from '../tasks/task-input.js';
import type { TaskStore } from '../tasks/task-store.js';
import { defineTool, type ToolResult } from '../tool.js';

const taskGetInputSchema = z.strictObject({ taskId: z.string() });

export interface TaskGetOutput {
  /** `blockedBy` holds open blockers only. Null when there is no such task. */
  task: Pick<Task, 'id' | 'subject' | 'description' | 'status' | 'blocks' | 'blockedBy'> | null;
}

/** V2: one task with its description and edges. `data` is `{ task }`, null when there is no such task. */
export const TaskGetTool = defineTool({
  name: 'TaskGet',
  description: 'Shows one task in full: status, description, open blockers, what it blocks.',
  inputSchema: taskGetInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => true,
  repair: (input) => repairTaskInput(input, ['taskId']),
  call({ taskId }, { tasks, signal }) {
    return inCallOrder(tasks, { reads: true }, signal, () => show(tasks, taskId));
  },
});

async function show(tasks: TaskStore, taskId: string): Promise<ToolResult<TaskGetOutput>> {
  const found = await tasks.get(taskId);
  if (!found) return { data: { task: null }, content: 'Task not found' };
  const { id, subject, description, status, blocks } = found;
  const blockedBy = found.blockedBy.length > 0 ? openBlockers(found, tasksById(await tasks.list())) : [];
  const lines = [`Task #${id}: ${subject}`, `Status: ${status}`, `Description: ${description}`];
  if (blockedBy.length > 0) lines.push(`Blocked by: ${numbers(blockedBy)}`);
  if (blocks.length > 0) lines.push(`Blocks: ${numbers(blocks)}`);
  return {
    data: { task: { id, subject, description, status, blocks, blockedBy } },
    content: lines.join('\n'),
  };
}

function numbers(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(', ');
}
