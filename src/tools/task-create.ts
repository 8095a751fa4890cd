import { z } from 'zod';
import { errorText } from '../errors.js';
import { repairTaskInput } from '../tasks/task-input.js';
import { defineTool } from '../tool.js';

const text = z.string().refine((value) => value.trim() !== '', 'must not be blank');

const taskCreateInputSchema = z.strictObject({
  subject: text.describe('What to do, in a few words'),
  description: text.describe('What done means'),
  activeForm: z.string().optional().describe('The subject as under way: "Running the tests"'),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export interface TaskCreateOutput {
  task: { id: string; subject: string; description: string };
}

/** Keys that models give here and that belong to a later call. */
const LATER: Readonly<Record<string, string>> = {
  status: 'status',
  owner: 'owner',
  blocks: 'addBlocks',
  blockedBy: 'addBlockedBy',
  addBlocks: 'addBlocks',
  addBlockedBy: 'addBlockedBy',
};

/** V2: adds a pending task. `data` is `{ task: { id, subject, description } }`. */
export const TaskCreateTool = defineTool({
  name: 'TaskCreate',
  description:
    'Adds a task to the task list: pending, without owner. Make one for each step before the first action when a job ' +
    'takes 3 or more steps, and for steps you discover. Not for one simple step. Set order with TaskUpdate addBlockedBy.',
  inputSchema: taskCreateInputSchema,
  planning: ['tasks'],
  access: () => ({ kind: 'none' }),
  isReadOnly: () => false,
  isConcurrencySafe: () => true,
  repair: (input) => repairTaskInput(input, ['activeForm']),
  explainInvalid(input) {
    const keys = typeof input === 'object' && input !== null ? Object.keys(input) : [];
    const later = keys.filter((key) => Object.hasOwn(LATER, key)).map((key) => LATER[key]);
    if (later.length === 0) return undefined;
    return `A new task is pending, without owner and edges. Create it first, then call TaskUpdate with its taskId and ${later.join(', ')}.`;
  },
  async call(input, { tasks, taskHooks, signal }) {
    const task = await tasks.create(input, { signal });
    const { id, subject, description } = task;
    const data: TaskCreateOutput = { task: { id, subject, description } };
    const verdict = await taskHooks.created(task, tasks.listId);
    if (!verdict.blocked) return { data, content: `Task #${id} created successfully: ${subject}` };
    // Not under the run's signal: a task that was refused must go, also when the run is being interrupted.
    const left = await tasks.remove(id).then(
      () => '',
      (error: unknown) => `\nTask #${id} could not be removed and is still on the list: ${errorText(error)}`,
    );
    return { data, content: `${verdict.feedback}${left}`, isError: true };
  },
});
