import { z } from 'zod';
import { verificationNudge } from '../attention/nudge.js';
import { errorText, WaymarkError } from '../errors.js';
import { inCallOrder, oneAtATime } from '../tasks/call-order.js';
import { type Task, type TaskStatus, taskStatusSchema } from '../tasks/task.js';
import { meantTaskIds, repairTaskInput } from '../tasks/task-input.js';
import { visibleTasks } from '../tasks/task-list-text.js';
import type { TaskChange, TaskUpdateOutcome } from '../tasks/task-store.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';

const taskUpdateInputSchema = z.strictObject({
  taskId: z.string(),
  subject: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be blank')
    .optional(),
  description: z.string().optional(),
  activeForm: z.string().optional(),
  status: z.enum([...taskStatusSchema.options, 'deleted']).optional(),
  addBlocks: z.array(z.string()).optional(),
  addBlockedBy: z.array(z.string()).optional(),
  owner: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export interface TaskUpdateOutput {
  success: boolean;
  taskId: string;
  /** What really changed; empty when nothing did. */
  updatedFields: string[];
  error?: string;
  statusChange?: { from: TaskStatus; to: TaskStatus };
}

/** Who assigns when no agent of a team is named: the one who leads. */
const LEAD = 'team-lead';

/** How often the change is decided anew because another agent changed the task in between. */
const MOST_TRIES = 5;

/** What the model can set right itself: told as a change that did not succeed. */
const REFUSALS: ReadonlySet<string> = new Set(['bad_edge', 'invalid_id']);

/**
 * V2: changes a task, or deletes it. `data` is `{ success, taskId, updatedFields, error?, statusChange? }`; a change
 * that is refused (no such task, a bad edge, a TaskCompleted hook) has `success: false` and changed nothing.
 */
export const TaskUpdateTool = defineTool({
  name: 'TaskUpdate',
  description:
    'Changes a task. Set status in_progress when you begin it, one at a time, and completed the moment it is really ' +
    'done, never in batches, never for partial or failing work; deleted removes it. addBlockedBy: tasks that this one ' +
    'waits for; addBlocks: tasks that wait for this one. metadata is merged; null removes a key.',
  inputSchema: taskUpdateInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  repair: (input) => repairTaskInput(input, ['taskId', 'activeForm']),
  explainInvalid: stillAs,
  call(input, context) {
    const { taskId, addBlocks = [], addBlockedBy = [], status, ...fields } = input;
    const changes = [taskId, ...addBlocks, ...addBlockedBy];
    return inCallOrder(context.tasks, { changes }, context.signal, async () => {
      try {
        if (status === 'deleted') return await remove(taskId, context);
        return await update(taskId, { ...fields, addBlocks, addBlockedBy, status }, context);
      } catch (error) {
        if (error instanceof WaymarkError && REFUSALS.has(error.code)) return refused(taskId, error.message);
        throw error;
      }
    });
  },
});

/** The state that a refused input failed to change, so that the model does not take the change for done. */
async function stillAs(input: unknown, { tasks }: ToolContext): Promise<string | undefined> {
  for (const id of meantTaskIds(input, Object.keys(taskUpdateInputSchema.shape))) {
    // An id that cannot be read has no state to tell; the error of the input stands all the same.
    const task = await tasks.get(id).catch(() => null);
    if (task) return `Task #${task.id} is still ${task.status}.`;
  }
  return 'No task was changed.';
}

async function remove(taskId: string, { tasks, signal }: ToolContext): Promise<ToolResult<TaskUpdateOutput>> {
  const removed = await tasks.remove(taskId, { signal });
  if (!removed) return refused(taskId, 'Task not found');
  return {
    data: { success: true, taskId, updatedFields: ['deleted'] },
    content: `Updated task #${taskId} deleted`,
  };
}

type Change = Omit<TaskChange, 'status'> & { status?: TaskStatus | undefined };

async function update(
  taskId: string,
  asked: Change,
  context: ToolContext,
): Promise<ToolResult<TaskUpdateOutput>> {
  const { tasks, taskHooks } = context;
  let hooksPassed = false;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const current = await tasks.get(taskId);
    if (!current) return refused(taskId, 'Task not found');
    const change = withOwner(asked, current, context);
    // Hooks may take minutes, so they are asked before any lock is taken.
    if (completes(change, current) && !hooksPassed) {
      const verdict = await taskHooks.completed(current, tasks.listId);
      if (verdict.blocked) return refused(taskId, verdict.feedback);
      hooksPassed = true;
    }
    const written = await write(taskId, change, context, (now) => {
      if (completes(change, now) && !hooksPassed) return false;
      return change.owner === asked.owner || (now.owner ?? '') === (current.owner ?? '');
    });
    if (written === 'task not found') return refused(taskId, 'Task not found');
    if (written !== 'changed meanwhile') return await answer(written, context);
  }
  return refused(taskId, `Other agents keep changing task #${taskId}. Nothing was changed; try again.`);
}

/** Whoever starts a task without an owner in a team gets it. */
function withOwner(asked: Change, current: Task, { swarm, agentName }: ToolContext): TaskChange {
  const { status, ...fields } = asked;
  const change: TaskChange = status === undefined ? fields : { ...fields, status };
  const isFree = asked.owner === undefined && !current.owner;
  return swarm && agentName && status === 'in_progress' && isFree ? { ...change, owner: agentName } : change;
}

function completes(change: TaskChange, current: Task): boolean {
  return change.status === 'completed' && current.status !== 'completed';
}

interface Written {
  outcome: TaskUpdateOutcome;
  /** The list after a write that completed the task; absent after other writes. */
  list?: Task[];
}

/** Writes the change if `mayApply` still says yes under the lock. */
async function write(
  taskId: string,
  change: TaskChange,
  { tasks, signal }: ToolContext,
  mayApply: (now: Task) => boolean,
): Promise<Written | 'task not found' | 'changed meanwhile'> {
  const apply = async (): Promise<Written | 'task not found' | 'changed meanwhile'> => {
    let changedMeanwhile = false;
    const onlyIf = (now: Task) => {
      changedMeanwhile = !mayApply(now);
      return !changedMeanwhile;
    };
    const outcome = await tasks.update(taskId, change, { signal, onlyIf });
    if (!outcome) return 'task not found';
    if (changedMeanwhile) return 'changed meanwhile';
    return completes(change, outcome.before) ? { outcome, list: await tasks.list() } : { outcome };
  };
  // One at a time with the look at the list after it, so that of two calls that close the list together one sees it.
  return change.status === 'completed' ? oneAtATime(tasks, 'complete', signal, apply) : apply();
}

async function answer(
  { outcome, list }: Written,
  context: ToolContext,
): Promise<ToolResult<TaskUpdateOutput>> {
  const { before, after, updatedFields } = outcome;
  const { id } = after;
  const text =
    updatedFields.length > 0
      ? `Updated task #${id} ${updatedFields.join(', ')}`
      : `Task #${id} was not changed: it is already as given.`;
  const parts = [text, await tellOwner(outcome, context), list && closingNudge(list, context)];
  const statusChange =
    before.status === after.status ? {} : { statusChange: { from: before.status, to: after.status } };
  return {
    data: { success: true, taskId: id, updatedFields, ...statusChange },
    content: parts.filter((part) => part !== undefined).join('\n\n'),
  };
}

/** Nobody is told of what they did themselves. A message that fails is said in the result; the change stands. */
async function tellOwner(
  { after, updatedFields }: TaskUpdateOutcome,
  { notifyOwner, agentName = LEAD }: ToolContext,
): Promise<string | undefined> {
  const { id, subject, description, owner } = after;
  if (!notifyOwner || !updatedFields.includes('owner') || !owner || owner === agentName) return undefined;
  try {
    await notifyOwner({ taskId: id, subject, description, owner, assignedBy: agentName });
    return undefined;
  } catch (error) {
    return `${owner} could not be told: ${errorText(error)}`;
  }
}

function closingNudge(list: readonly Task[], context: ToolContext): string | undefined {
  const items = visibleTasks(list).map((task) => ({
    text: task.subject,
    completed: task.status === 'completed',
  }));
  return verificationNudge({
    items,
    closedNow: items.every((item) => item.completed),
    mainAgent: context.agentId === undefined,
    ...context.verification,
  });
}

function refused(taskId: string, error: string): ToolResult<TaskUpdateOutput> {
  return { data: { success: false, taskId, updatedFields: [], error }, content: error, isError: true };
}
