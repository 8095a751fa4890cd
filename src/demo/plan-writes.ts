import { isRecord, textOf } from '../testing/wire-value.js';
import { lastCall, type RoundView } from './conversation-view.js';
import { JOB_STEPS } from './job.js';

/** A call as the simulated model makes it; the server gives it an id. */
export interface PlannedCall {
  name: string;
  input: Record<string, unknown>;
}

/** How the simulated model writes and reads its plan in one planning mode. Steps are places in `JOB_STEPS`. */
export interface PlanWrites {
  create(): PlannedCall[];
  /** Everything before `step` is done, `step` is in progress. */
  moveTo(step: number, rounds: readonly RoundView[]): PlannedCall[];
  /** Looks at the plan beside other lookups, where writing it does not show it. */
  look(): PlannedCall[];
  finish(rounds: readonly RoundView[]): PlannedCall[];
  /** What the newest write says: the step in progress, `done`, or undefined before the first one. */
  current(rounds: readonly RoundView[]): number | 'done' | undefined;
}

const LAST = JOB_STEPS.length - 1;

/** V1: each write is the whole list, and its result shows it. */
export const todoWrites: PlanWrites = {
  create: () => [todoWrite(-1)],
  moveTo: (step) => [todoWrite(step)],
  look: () => [],
  finish: () => [todoWrite(LAST + 1)],
  current(rounds) {
    const todos = lastCall(rounds, 'TodoWrite')?.input.todos;
    const states = Array.isArray(todos) ? todos.map((todo) => (isRecord(todo) ? todo.status : '')) : [];
    if (states.length > 0 && states.every((state) => state === 'completed')) return 'done';
    const step = states.indexOf('in_progress');
    return step < 0 ? undefined : step;
  },
};

function todoWrite(current: number): PlannedCall {
  const todos = JOB_STEPS.map(({ text, activeForm }, index) => ({
    content: text,
    status: index < current ? 'completed' : index === current ? 'in_progress' : 'pending',
    activeForm,
  }));
  return { name: 'TodoWrite', input: { todos } };
}

/** V2: a task a step, changed by number. The numbers are read from the results of TaskCreate. */
export const taskWrites: PlanWrites = {
  create: () =>
    JOB_STEPS.map(({ text, activeForm, rename }) => ({
      name: 'TaskCreate',
      input: {
        subject: text,
        description: rename ? `Every use of ${rename.from}, then the tests.` : 'The whole test suite.',
        activeForm,
      },
    })),
  moveTo(step, rounds) {
    const ids = taskIds(rounds);
    if (step > 0)
      return [update(ids[step - 1], { status: 'completed' }), update(ids[step], { status: 'in_progress' })];
    return [
      update(ids[LAST], { addBlockedBy: ids.slice(1, LAST) }),
      update(ids[0], { status: 'in_progress' }),
    ];
  },
  look: () => [{ name: 'TaskList', input: {} }],
  finish: (rounds) => [update(taskIds(rounds)[LAST], { status: 'completed' })],
  current(rounds) {
    const ids = taskIds(rounds);
    const updates = rounds.flatMap((round) => round.calls).filter((call) => call.name === 'TaskUpdate');
    const newest = updates.findLast((call) => typeof call.input.status === 'string');
    if (!newest) return undefined;
    const step = ids.indexOf(textOf(newest.input.taskId));
    return step === LAST && newest.input.status === 'completed' ? 'done' : step;
  },
};

function update(taskId: string | undefined, change: Record<string, unknown>): PlannedCall {
  return { name: 'TaskUpdate', input: { taskId: taskId ?? '', ...change } };
}

/** The number of each step's task, by its place in the plan. */
function taskIds(rounds: readonly RoundView[]): string[] {
  const created = rounds.flatMap((round) => round.calls).filter((call) => call.name === 'TaskCreate');
  return JOB_STEPS.map(({ text }) => {
    const call = created.find((candidate) => candidate.input.subject === text);
    return /#([A-Za-z0-9_-]+)/.exec(call?.text ?? '')?.[1] ?? '';
  });
}
