import type { PlanReport } from '../attention/plan-report.js';
import { type TestCounts, testCountsText } from './test-counts.js';
import type { WorkersReport } from './workers.js';

/** What happened in one planning mode, computed from the run, the files and the tests. */
export interface DemoRun {
  planning: 'todo' | 'tasks';
  /** Everything was reached: a good result, every step completed, the tests pass, no old name left, no task lost. */
  ok: boolean;
  /** What was not reached, a line each. */
  problems: string[];
  session_id: string;
  /** The source tree. */
  folder: string;
  duration_ms: number;
  /** Null for a simulated model. */
  total_cost_usd: number | null;
  rounds: number;
  /** Whether the plan was written before the first action; null without a plan. */
  planned_first: boolean | null;
  steps: Array<{ id?: string; text: string; states: string[]; end: string }>;
  /** Each reminder: after which round it came, and whether the plan was written in one of the next two. */
  reminders: Array<{ round: number; followed_by_plan_write: boolean }>;
  files_changed: string[];
  tests_before: TestCounts;
  /** The runs that the model asked for, in order. */
  test_runs: TestCounts[];
  tests_after: TestCounts;
  /** How often a name that was to go is still in the tree. */
  old_names_left: number;
  /** What shows that the work was checked. */
  verified_by: string[];
  /** V2: where the list lies and how many task files it has. */
  task_list?: { list_id: string; folder: string; files: number };
  workers?: WorkersReport & { tests_after: TestCounts; users_left: number };
}

export interface DemoReport {
  simulated_model: boolean;
  model: string;
  /** Null for a simulated model, and when a price is not known. */
  total_cost_usd: number | null;
  ok: boolean;
  /** Where all of it lies; it is kept. */
  folder: string;
  runs: DemoRun[];
}

/** What a run did not reach, from its parts. Pure. */
export function problemsOf(run: Omit<DemoRun, 'ok' | 'problems'>, failure: string | undefined): string[] {
  const found = failure === undefined ? [] : [failure];
  const open = run.steps.filter((step) => step.end !== 'completed');
  if (run.steps.length === 0) found.push('no plan was written');
  if (open.length > 0)
    found.push(`${open.length} steps are not completed: ${open.map(({ text }) => text).join('; ')}`);
  if (run.tests_after.failed > 0) found.push(`tests at the end: ${testCountsText(run.tests_after)}`);
  if (run.tests_after.total !== run.tests_before.total) {
    found.push(`there were ${run.tests_before.total} tests before and ${run.tests_after.total} after`);
  }
  if (run.old_names_left > 0) found.push(`old names are left in ${run.old_names_left} places`);
  const { workers } = run;
  if (workers && workers.lost > 0) found.push(`${workers.lost} tasks of the workers are not finished`);
  if (workers && workers.claimed_twice > 0) found.push(`${workers.claimed_twice} tasks were claimed twice`);
  if (workers && workers.tests_after.failed > 0) {
    found.push(`tests after the workers: ${testCountsText(workers.tests_after)}`);
  }
  return found;
}

/** The steps as the report shows them, from the plan's history. */
export function stepsOf(plan: PlanReport): DemoRun['steps'] {
  return plan.items.map(({ id, text, states, end }) => ({
    ...(id === undefined ? {} : { id }),
    text,
    states,
    end,
  }));
}

/** The end of a run for a person: a line a finding. */
export function runLines(run: DemoRun): string[] {
  const done = run.steps.filter((step) => step.end === 'completed').length;
  const whole = run.steps.filter((step) => step.states.join() === 'pending,in_progress,completed').length;
  const helped = run.reminders.filter((reminder) => reminder.followed_by_plan_write).length;
  const failed = run.test_runs.filter((counts) => counts.failed > 0);
  const rounds = run.reminders.map(({ round }) => round).join(', ');
  const lines = [
    `plan       written before the first action: ${run.planned_first ? 'yes' : 'no'}; ${run.rounds} rounds`,
    `steps      ${done} of ${run.steps.length} completed; ${whole} went pending → in_progress → completed`,
    `reminders  ${run.reminders.length} fired${rounds ? ` (after round ${rounds})` : ''}, ${helped} followed by a plan write`,
    `files      ${run.files_changed.length} changed: ${run.files_changed.join(', ')}`,
    `tests      before ${testCountsText(run.tests_before)}; after ${testCountsText(run.tests_after)}`,
    `           ${run.test_runs.length} runs on the way${failed.map((counts) => `; one with ${testCountsText(counts)}`).join('')}`,
    `old names  ${run.old_names_left} left; verified by ${run.verified_by.join(', ') || 'nothing'}`,
  ];
  if (run.workers) lines.push(...workerLines(run.workers));
  if (run.task_list) lines.push(`task files ${run.task_list.files} in ${run.task_list.folder}`);
  lines.push(`tree       ${run.folder}`);
  for (const problem of run.problems) lines.push(`NOT REACHED ${problem}`);
  return lines;
}

function workerLines(workers: NonNullable<DemoRun['workers']>): string[] {
  const shares = Object.entries(workers.tasks_by_worker).map(([name, count]) => `${name} ${count}`);
  return [
    `workers    ${workers.processes} processes shared the list: ${shares.join(', ')}`,
    `           from disk: ${workers.completed} of ${workers.tasks} tasks completed, ${workers.claimed_twice} claimed twice, ${workers.lost} lost; ${workers.refused_claims} late claims refused`,
    `           ${workers.changes} words changed, ${workers.users_left} left; tests ${testCountsText(workers.tests_after)}`,
  ];
}
