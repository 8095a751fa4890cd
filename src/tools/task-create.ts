import { z } from 'zod';
import { errorText } from '../errors.js';
import { inCallOrder, oneAtATime } from '../tasks/call-order.js';
import { repairTaskInput } from '../tasks/task-input.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';

const taskCreateInputSchema = z.strictObject({
  subject: z.string().refine((text) => text.trim() !== '', 'must not be blank'),
  description: z.string(),
  activeForm: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
type Input = z.output<typeof taskCreateInputSchema>;

export interface TaskCreateOutput {
  /** Null when a hook blocked the task. */
  task: { id: string; subject: string; description: string } | null;
}

/** Keys that models give here and that belong to a later call, with the name they have there. */
const LATER: Readonly<Record<string, string>> = {
  status: 'status',
  owner: 'owner',
  blocks: 'addBlocks',
  blockedBy: 'addBlockedBy',
  addBlocks: 'addBlocks',
  addBlockedBy: 'addBlockedBy',
};

/**
 * V2: a new task, `pending`, without owner and edges. `data` is `{ task: { id, subject, description } }`. A
 * TaskCreated hook that blocks removes the task again; its number is spent.
 */
export const TaskCreateTool = defineTool({
  name: 'TaskCreate',
  description:
    'Adds a task to the task list: pending, without owner. Make one for each step before the first action when a job ' +
    'takes 3 or more steps, and for steps you discover; none for one simple step. subject: what to do ("Run the ' +
    'tests"); description: what done means; activeForm: the subject as under way ("Running the tests"). Set order ' +
    'with TaskUpdate addBlockedBy.',
  inputSchema: taskCreateInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  repair: (input) => repairTaskInput(input, ['activeForm']),
  explainInvalid(input) {
    const keys = typeof input === 'object' && input !== null ? Object.keys(input) : [];
    const later = keys.flatMap((key) => (Object.hasOwn(LATER, key) ? (LATER[key] ?? []) : []));
    if (later.length === 0) return undefined;
    return `A new task is pending, without owner and edges. Create it first, then call TaskUpdate with its taskId and ${later.join(', ')}.`;
  },
  call(input, context) {
    return inCallOrder(context.tasks, { creates: true }, context.signal, () => create(input, context));
  },
});

async function create(input: Input, context: ToolContext): Promise<ToolResult<TaskCreateOutput>> {
  const { tasks, taskHooks, signal } = context;
  // Numbers follow the order of the calls in the model's answer.
  const task = await oneAtATime(tasks, 'create', signal, () => tasks.create(input, { signal }));
  const { id, subject, description } = task;
  // A host's hooks may throw against their contract; the task must not stay in between then either.
  const verdict = await taskHooks
    .created(task, tasks.listId)
    .catch((error: unknown) => ({ blocked: true as const, feedback: `TaskCreated: ${errorText(error)}` }));
  if (!verdict.blocked) {
    return {
      data: { task: { id, subject, description } },
      content: `Task #${id} created successfully: ${subject}`,
    };
  }
  // Without the run's signal: a task that was refused must go, also when the run is being interrupted.
  const left = await tasks.remove(id).then(
    () => '',
    (error: unknown) => `\nTask #${id} could not be removed and is still on the list: ${errorText(error)}`,
  );
  return { data: { task: null }, content: `${verdict.feedback}${left}`, isError: true };
}
