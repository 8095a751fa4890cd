import { z } from 'zod';
import { verificationNudge } from '../attention/nudge.js';
import { WaymarkError } from '../errors.js';
import { type Task, taskStatusSchema } from '../tasks/task.js';
import { repairTaskInput } from '../tasks/task-input.js';
import type { TaskChange, TaskUpdateOutcome } from '../tasks/task-store.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';

const taskUpdateInputSchema = z.strictObject({
  taskId: z.string(),
  subject: z
    .string()
    .refine((value) => value.trim() !== '', 'must not be blank')
    .optional(),
  description: z.string().optional(),
  activeForm: z.string().optional(),
  status: z.enum([...taskStatusSchema.options, 'deleted']).optional(),
  addBlocks: z.array(z.string()).optional().describe('Tasks that wait for this one'),
  addBlockedBy: z.array(z.string()).optional().describe('Tasks that this one waits for'),
  owner: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Merged; null removes a key'),
});
type Input = z.output<typeof taskUpdateInputSchema>;

export interface TaskUpdateOutput {
  success: boolean;
  taskId: string;
  updatedFields: string[];
  error?: string;
  statusChange?: { from: string; to: string };
}

/** V2: changes a task. `data` is `{ success, taskId, updatedFields, error?, statusChange? }`. */
export const TaskUpdateTool = defineTool({
  name: 'TaskUpdate',
  description:
    'Changes a task. Set in_progress when you begin it, one at a time, and completed the moment it is really done, ' +
    'never for partial or failing work. status deleted removes it.',
  inputSchema: taskUpdateInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  repair: (input) => repairTaskInput(input, ['taskId', 'activeForm']),
  explainInvalid: currentStatus,
  async call(input, context): Promise<ToolResult<TaskUpdateOutput>> {
    try {
      return await update(input, context);
    } catch (error) {
      const isRefusal =
        error instanceof WaymarkError && (error.code === 'bad_edge' || error.code === 'invalid_id');
      if (!isRefusal) throw error;
      return { ...failed(input.taskId, error.message), isError: true };
    }
  },
});

async function update(input: Input, context: ToolContext): Promise<ToolResult<TaskUpdateOutput>> {
  const { taskId, status, ...fields } = input;
  const { tasks, taskHooks, signal } = context;
  const current = await tasks.get(taskId);
  if (current === null) return failed(taskId, 'Task not found');
  if (status === 'deleted') {
    const removed = await tasks.remove(taskId, { signal });
    if (removed === null) return failed(taskId, 'Task not found');
    return succeeded(taskId, ['deleted'], { from: removed.status, to: 'deleted' });
  }
  if (status === 'completed' && current.status !== 'completed') {
    const verdict = await taskHooks.completed(current, tasks.listId);
    if (verdict.blocked) return { ...failed(taskId, verdict.feedback), isError: true };
  }
  const change: TaskChange = { ...fields, ...(status === undefined ? {} : { status }) };
  const outcome = await write(current, change, context);
  if (outcome === null) return failed(taskId, 'Task not found');
  await tellOwner(outcome, context);
  const { before, after, updatedFields } = outcome;
  const moved = before.status === after.status ? undefined : { from: before.status, to: after.status };
  return succeeded(taskId, updatedFields, moved, await nudge(moved?.to, context));
}

/** Writes the change; who starts a task that nobody has becomes its owner where several agents share the list. */
async function write(
  current: Task,
  change: TaskChange,
  context: ToolContext,
): Promise<TaskUpdateOutcome | null> {
  const { tasks, signal, swarm, agentName } = context;
  const takes =
    swarm && agentName && change.status === 'in_progress' && change.owner === undefined && !current.owner;
  if (!takes) return tasks.update(current.id, change, { signal });
  let isFree = true;
  const outcome = await tasks.update(
    current.id,
    { ...change, owner: agentName },
    {
      signal,
      onlyIf: (task) => {
        isFree = !task.owner;
        return isFree;
      },
    },
  );
  // Somebody else became the owner in between: the rest of the change stands, the owner stays.
  return isFree ? outcome : tasks.update(current.id, change, { signal });
}

/** Tells an agent that a task is now its own; nobody is told of what he did himself. */
async function tellOwner({ after, updatedFields }: TaskUpdateOutcome, context: ToolContext): Promise<void> {
  const { notifyOwner, agentName } = context;
  const { owner } = after;
  if (!notifyOwner || !owner || owner === agentName || !updatedFields.includes('owner')) return;
  const { id: taskId, subject, description } = after;
  await notifyOwner({ taskId, subject, description, owner, assignedBy: agentName ?? 'main' });
}

/** Asked for when this write completed the last open task. */
async function nudge(movedTo: string | undefined, context: ToolContext): Promise<string | undefined> {
  const { tasks, agentId, verification } = context;
  if (movedTo !== 'completed' || !verification.enabled || agentId !== undefined) return undefined;
  const visible = (await tasks.list()).filter((task) => !task.metadata?._internal);
  return verificationNudge({
    items: visible.map(({ subject, description, status }) => ({
      text: `${subject}\n${description}`,
      completed: status === 'completed',
    })),
    closedNow: true,
    mainAgent: true,
    ...verification,
  });
}

function succeeded(
  taskId: string,
  updatedFields: string[],
  statusChange?: TaskUpdateOutput['statusChange'],
  more?: string,
): ToolResult<TaskUpdateOutput> {
  const text =
    updatedFields.length > 0
      ? `Updated task #${taskId} ${updatedFields.join(', ')}`
      : `Task #${taskId} was not changed: it is already as given.`;
  return {
    data: { success: true, taskId, updatedFields, ...(statusChange ? { statusChange } : {}) },
    content: more ? `${text}\n\n${more}` : text,
  };
}

function failed(taskId: string, error: string): ToolResult<TaskUpdateOutput> {
  return { data: { success: false, taskId, updatedFields: [], error }, content: error };
}

/** A miss must be plain: the state that the call failed to change. */
async function currentStatus(input: unknown, { tasks }: ToolContext): Promise<string | undefined> {
  if (typeof input !== 'object' || input === null) return undefined;
  const id = Object.entries(input).find(
    ([key, value]) => /^(task_?)?id$/i.test(key) && typeof value === 'string',
  )?.[1];
  // An id that cannot be read has no state to tell; the error of the input stands all the same.
  const task = id === undefined ? null : await tasks.get(id).catch(() => null);
  return task ? `Task #${task.id} is unchanged: ${task.status}.` : undefined;
}
