import { oneLine } from './plan-item.js';
import { type ItemHistory, type PlanStatus, tracePlan } from './plan-items.js';
import { readTranscript, type TranscriptCall, type TranscriptMessage } from './transcript.js';
import { isPlanTool } from './turn-log.js';

export interface PlanReportItem {
  /** The task's number in V2; absent in V1. */
  id?: string;
  text: string;
  /** The states it was seen in, each change once. */
  states: PlanStatus[];
  end: PlanStatus | 'dropped';
  passedInProgress: boolean;
  /** Completed without having been in progress. */
  jumped: boolean;
  /** Rounds from its first sight to its end, or to the end of the transcript. */
  openRounds: number;
  /** The same in milliseconds; absent when the transcript has no timestamps. */
  openMs?: number;
}

export interface PlanReport {
  mode: 'todo' | 'tasks' | 'both' | 'none';
  /** Model answers that called tools. */
  rounds: number;
  /** Whether the plan was written before the first action; null when there was no plan or no action. */
  plannedFirst: boolean | null;
  /** Items of the plan. */
  steps: number;
  /** Calls that may change something: neither of the plan nor plain looking (Read, Grep …). */
  actions: number;
  /** Calls that only looked. */
  lookups: number;
  /** Successful writes of the plan. */
  planWrites: number;
  items: PlanReportItem[];
  /** Texts of items that were completed without having been in progress. */
  jumped: string[];
  /** Texts of items left open, and of items that left the plan unfinished. */
  leftOpen: string[];
  dropped: string[];
  /** Each reminder: the round after which it came, and whether the plan was written within the next 2 rounds. */
  reminders: Array<{ round: number; followedByWrite: boolean }>;
  /** What shows that the work was checked; empty when nothing does. */
  verifiedBy: string[];
}

/** A reminder "helped" when the plan was written in one of this many rounds after it. */
const HELPED_WITHIN_ROUNDS = 2;

const LOOKUPS: ReadonlySet<string> = new Set(
  (
    'Read Glob Grep LS NotebookRead WebFetch WebSearch ToolSearch TaskOutput BashOutput ' +
    'AskUserQuestion EnterPlanMode ExitPlanMode'
  ).split(' '),
);

const SUBAGENTS: ReadonlySet<string> = new Set(['Agent', 'Task']);

/** Commands that run a project's tests, in the usual ecosystems. */
const TEST_COMMAND =
  /\b(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mvn|make|swift|mix|gradlew?)\s+(?:run\s+)?test\b|--test\b|vitest\b|jest\b|mocha\b|pytest\b|unittest\b|rspec\b|ctest\b|phpunit\b)/;

/**
 * What a careful person looks for in a run, computed from any transcript: the stream of `query()`, or its parsed
 * JSON lines. V1 and V2. `reminderRounds` names the rounds after which reminders came when the transcript does not
 * hold their text. Never throws on data; a transcript without a plan gives a report that says so.
 */
export function planReport(
  messages: Iterable<TranscriptMessage>,
  options: { reminderRounds?: readonly number[] } = {},
): PlanReport {
  const transcript = readTranscript(messages);
  const { calls, rounds } = transcript;
  const trace = tracePlan(calls);
  const work = calls.filter((call) => !isPlanTool(call.name));
  const actions = work.filter((call) => !LOOKUPS.has(call.name));
  const lastTime = calls.findLast((call) => call.time !== undefined)?.time;
  const items = trace.items.map((item) => reportItem(item, { round: rounds, time: lastTime }));
  const writeRounds = trace.writes.map((call) => call.round);
  const reminderRounds = options.reminderRounds ?? transcript.reminderRounds;
  const firstWrite = trace.writes[0]?.order;
  const firstAction = actions[0]?.order;
  return {
    mode: trace.mode,
    rounds,
    plannedFirst: firstWrite === undefined || firstAction === undefined ? null : firstWrite < firstAction,
    steps: items.length,
    actions: actions.length,
    lookups: work.length - actions.length,
    planWrites: trace.writes.length,
    items,
    jumped: names(items, (item) => item.jumped),
    leftOpen: names(items, (item) => item.end === 'pending' || item.end === 'in_progress'),
    dropped: names(items, (item) => item.end === 'dropped'),
    reminders: reminderRounds.map((round) => ({
      round,
      followedByWrite: writeRounds.some((write) => write > round && write <= round + HELPED_WITHIN_ROUNDS),
    })),
    verifiedBy: verification(items, actions),
  };
}

/** The report as text for a person: a line a finding. */
export function formatPlanReport(report: PlanReport): string {
  const { steps, actions, lookups, rounds, items, reminders } = report;
  if (report.mode === 'none') return `No plan in ${rounds} rounds with ${actions} actions.`;
  const passed = items.filter((item) => item.passedInProgress).length;
  const done = items.filter((item) => item.end === 'completed').length;
  const helped = reminders.filter((reminder) => reminder.followedByWrite).length;
  const first = report.plannedFirst === null ? 'no action was taken' : report.plannedFirst ? 'yes' : 'no';
  return [
    `Plan before the first action: ${first}`,
    `Steps: ${steps}, actions: ${actions}, lookups: ${lookups}, rounds: ${rounds}`,
    `Completed: ${done} of ${steps}; ${passed} passed through in_progress`,
    ...listed('Completed without being in progress', report.jumped),
    ...listed('Left open', report.leftOpen),
    ...listed('Dropped unfinished', report.dropped),
    `Reminders: ${reminders.length}${reminders.length > 0 ? `, ${helped} followed by a plan write within ${HELPED_WITHIN_ROUNDS} rounds` : ''}`,
    `Verified: ${report.verifiedBy.length > 0 ? report.verifiedBy.join('; ') : 'nothing shows it'}`,
    'Open for:',
    ...items.map((item) => `  ${openFor(item)}  ${label(item)} (${item.states.join(' → ')})`),
  ].join('\n');
}

function reportItem(item: ItemHistory, last: { round: number; time?: number | undefined }): PlanReportItem {
  const passedInProgress = item.states.includes('in_progress');
  const end = item.dropped ? 'dropped' : (item.states.at(-1) ?? 'pending');
  const until = item.closed ?? last;
  const openMs =
    item.opened.time === undefined || until.time === undefined ? undefined : until.time - item.opened.time;
  return {
    ...(item.id === undefined ? {} : { id: item.id }),
    text: item.text,
    states: item.states,
    end,
    passedInProgress,
    jumped: end === 'completed' && !passedInProgress,
    openRounds: until.round - item.opened.round,
    ...(openMs === undefined ? {} : { openMs }),
  };
}

/** Evidence of a check: a finished step that says so, a passed test run, a sub-agent sent to check. */
function verification(items: readonly PlanReportItem[], actions: readonly TranscriptCall[]): string[] {
  const found: string[] = [];
  const step = items.find((item) => item.end === 'completed' && /verif/i.test(item.text));
  if (step) found.push(`step ${label(step)}`);
  const good = actions.filter((call) => call.ok === true);
  const tests = good.findLast(
    (call) => call.name === 'Bash' && TEST_COMMAND.test(textOf(call.input.command)),
  );
  if (tests) found.push(`passed command ${JSON.stringify(oneLine(textOf(tests.input.command), 60))}`);
  const checker = good.find(
    (call) =>
      SUBAGENTS.has(call.name) &&
      /verif|check|review|test/i.test(`${textOf(call.input.description)} ${textOf(call.input.prompt)}`),
  );
  if (checker) found.push(`sub-agent ${JSON.stringify(oneLine(textOf(checker.input.description), 60))}`);
  return found;
}

function names(items: readonly PlanReportItem[], wanted: (item: PlanReportItem) => boolean): string[] {
  return items.filter(wanted).map(label);
}

function label({ id, text }: PlanReportItem): string {
  return [id === undefined ? '' : `#${id}`, oneLine(text, 80)].filter(Boolean).join(' ');
}

function listed(title: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${title}: ${texts.join('; ')}`];
}

function openFor({ openMs, openRounds }: PlanReportItem): string {
  if (openMs === undefined) return `${openRounds} ${openRounds === 1 ? 'round' : 'rounds'}`;
  return openMs < 1000 ? `${openMs} ms` : `${(openMs / 1000).toFixed(1)} s`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
