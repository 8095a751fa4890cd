import { z } from 'zod';
import { defineTool } from '../tool.js';

const taskStopInputSchema = z
  .strictObject({
    task_id: z.string().optional(),
    shell_id: z.string().optional().describe('Old name of task_id'),
  })
  .refine((input) => input.task_id !== undefined || input.shell_id !== undefined, {
    path: ['task_id'],
    message: 'missing',
  });

export interface TaskStopOutput {
  message: string;
  task_id: string;
  task_type: 'local_bash';
  command?: string;
}

/** Ends a background command (not an item of the plan) with all its children. */
export const TaskStopTool = defineTool({
  name: 'TaskStop',
  aliases: ['KillShell', 'KillBash'],
  description: 'Ends a background command and its children. Not for tasks of the task list.',
  inputSchema: taskStopInputSchema,
  access: () => ({ kind: 'none' }),
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  async call({ task_id, shell_id }, { jobs }) {
    const id = task_id ?? shell_id ?? '';
    const before = jobs.get(id);
    const about = { task_id: id, task_type: 'local_bash' as const };
    if (before?.status !== 'running') {
      const known = jobs.list().filter((job) => job.status === 'running');
      const state = before ? `has ended already (${before.status})` : 'is no background command';
      const message = `${id} ${state}. Running: ${known.map((job) => job.id).join(', ') || 'none'}.`;
      return { data: { message, ...about } satisfies TaskStopOutput, content: message, isError: true };
    }
    await jobs.stop(id);
    const message = `Stopped ${id}: ${before.command}`;
    return {
      data: { message, ...about, command: before.command } satisfies TaskStopOutput,
      content: message,
    };
  },
});
