import { join } from 'node:path';
import { type Answer, answer, type RecordedRequest, type Step } from '../testing/index.js';
import { textOf } from '../testing/wire-value.js';
import { type CallView, lastCall, type RoundView, readRounds } from './conversation-view.js';
import { JOB_STEPS, type JobStep, RENAMES, type Rename, TEST_COMMAND } from './job.js';
import { type PlannedCall, type PlanWrites, taskWrites, todoWrites } from './plan-writes.js';
import { readTestCounts, type TestCounts, testCountsText } from './test-counts.js';

/** The name under which the simulated model appears. No price is known for it. */
export const SIMULATED_MODEL = 'simulated-model';

/**
 * How many rounds back the simulated model still sees its plan: it stands for the attention of a real one, which tool
 * output pushes the plan out of. A plan that was last shown before that is forgotten, unless a reminder shows it again.
 */
const SIGHT_ROUNDS = 3;

/** A rename is mended this often before the model gives up. */
const MOST_MENDS = 2;

/**
 * The model of the demo as a function of the request, with no memory of its own: it reads the real results of its
 * earlier calls (what was found, what the tests say, which tasks there are) and decides the next answer. After the
 * tests pass again it goes on with the plan only if it still has it in sight.
 */
export function simulatedModel(options: {
  /** The project, absolute. */
  folder: string;
  planning: 'todo' | 'tasks';
}): (request: RecordedRequest) => Step {
  const script = new DemoScript(options.folder, options.planning === 'todo' ? todoWrites : taskWrites);
  return (request) => {
    const fields = script.next(readRounds(request.body.messages));
    return answer({ ...fields, model: SIMULATED_MODEL });
  };
}

class DemoScript {
  readonly #folder: string;
  readonly #plan: PlanWrites;

  constructor(folder: string, plan: PlanWrites) {
    this.#folder = folder;
    this.#plan = plan;
  }

  next(rounds: readonly RoundView[]): Answer {
    const last = rounds.at(-1);
    if (!last) return say('I plan the ten steps first.', this.#plan.create());
    const failure = last.calls.find((call) => call.failed && !isTestRun(call));
    if (failure) return say(`I stop here: ${failure.name} failed. ${firstLine(failure.text)}`);
    const current = this.#plan.current(rounds);
    if (current === undefined) return this.#start(0, rounds);
    if (current === 'done' || last.calls.length === 0) return say(summary(rounds));
    const step = JOB_STEPS[current];
    const run = last.calls.find(isTestRun);
    if (run) return this.#afterTests(current, run, rounds);
    if (!step?.rename) return say('I stop here: the step in progress is not on my plan.');
    return this.#goOn(step.rename, last, rounds);
  }

  #start(index: number, rounds: readonly RoundView[]): Answer {
    const step = JOB_STEPS[index];
    const calls = this.#plan.moveTo(index, rounds);
    if (step?.rename) return say(`${step.activeForm}.`, [...calls, search(step.rename.from)]);
    if (index > 0) calls.push(search(RENAMES.map(({ from }) => from).join('|')));
    return say(`${step?.activeForm ?? 'Going on'}.`, [...calls, runTests()]);
  }

  /** In the middle of a rename: found → read → edit, or tests failed → read → mend. */
  #goOn(rename: Rename, last: RoundView, rounds: readonly RoundView[]): Answer {
    const searched = rounds.findLastIndex((round) => round.calls.some((call) => call.name === 'Grep'));
    const tested = rounds.findLastIndex((round) => round.calls.some(isTestRun));
    if (tested > searched) return this.#mend(rename, last);
    const files = pathsIn(lastCall(rounds, 'Grep')?.text ?? '');
    const lookups = [...this.#plan.look(), ...this.#unread(files, rounds)];
    if (searched === rounds.length - 1 && lookups.length > 0) {
      return say(`${files.length} files use ${rename.from}; I look before I change them.`, lookups);
    }
    return this.#editAll(rename, files);
  }

  #editAll({ from, to }: Rename, files: readonly string[]): Answer {
    const edits = files.map((path) => ({
      name: 'Edit',
      input: { file_path: join(this.#folder, path), old_string: from, new_string: to, replace_all: true },
    }));
    return say(`Now ${from} becomes ${to} in ${files.length} files.`, [...edits, runTests()]);
  }

  #mend({ from, to }: Rename, last: RoundView): Answer {
    for (const call of last.calls) {
      const lookup = /= ((\w+)\['(\w+)' \+ (\w+)\]);/.exec(call.text);
      const [, expression, module, prefix, kind] = lookup ?? [];
      if (!expression || !prefix || !from.startsWith(prefix)) continue;
      const special = `${kind} === '${from.slice(prefix.length)}' ? ${module}.${to} : ${expression}`;
      const input = {
        file_path: textOf(call.input.file_path),
        old_string: `= ${expression};`,
        new_string: `= ${special};`,
      };
      return say(
        `The name ${from} is put together at run time, so no search could find it. It gets a branch of its own.`,
        [{ name: 'Edit', input }, runTests()],
      );
    }
    return say('I stop here: I do not see how the failing lookup is written.');
  }

  #afterTests(index: number, run: CallView, rounds: readonly RoundView[]): Answer {
    const counts = readTestCounts(run.text);
    if (!counts) return say(`I stop here: the tests gave no result. ${firstLine(run.text)}`);
    if (counts.failed > 0) return this.#investigate(index, run, counts, rounds);
    if (index === JOB_STEPS.length - 1) return this.#close(rounds);
    const seen = rounds
      .slice(-SIGHT_ROUNDS)
      .map((round) => round.heard)
      .join('\n');
    const next = JOB_STEPS.findIndex((step, place) => place > index && seen.includes(step.text));
    if (next < 0) return say(`The tests pass (${testCountsText(counts)}), so the job is done.`);
    return this.#start(next, rounds);
  }

  #investigate(index: number, run: CallView, counts: TestCounts, rounds: readonly RoundView[]): Answer {
    const message = /\w*Error(?: \[\w+\])?: (.+)$/m.exec(run.text)?.[1]?.trim() ?? '';
    const files = [...new Set([...sourcesIn(run.text), ...failingTestsIn(run.text)])];
    const canMend = isRename(JOB_STEPS[index]) && files.length > 0;
    if (!canMend || failuresIn(index, rounds, this.#plan) > MOST_MENDS) {
      return say(`I stop here: ${testCountsText(counts)}.`);
    }
    const where = `I read where that is thrown: ${files.join(', ')}.`;
    return say(
      `${counts.failed} tests fail: "${message}". ${where}`,
      files.map((path) => this.#read(path)),
    );
  }

  #close(rounds: readonly RoundView[]): Answer {
    const left = pathsIn(lastCall(rounds, 'Grep')?.text ?? '');
    if (left.length > 0) return say(`I stop here: old names are left in ${left.join(', ')}.`);
    return say('All tests pass and no old name is left.', this.#plan.finish(rounds));
  }

  /** Reads for the files that were not read before. */
  #unread(files: readonly string[], rounds: readonly RoundView[]): PlannedCall[] {
    const known = rounds.flatMap((round) => round.calls).filter((call) => call.name === 'Read');
    return files
      .map((path) => this.#read(path))
      .filter((call) => !known.some((other) => other.input.file_path === call.input.file_path));
  }

  #read(path: string): PlannedCall {
    return { name: 'Read', input: { file_path: join(this.#folder, path) } };
  }
}

function say(text: string, toolUses: PlannedCall[] = []): Answer {
  return { text, toolUses };
}

function search(pattern: string): PlannedCall {
  return { name: 'Grep', input: { pattern, output_mode: 'files_with_matches' } };
}

function runTests(): PlannedCall {
  return { name: 'Bash', input: { command: TEST_COMMAND, description: 'Run the tests' } };
}

function isTestRun(call: CallView): boolean {
  return call.name === 'Bash' && call.input.command === TEST_COMMAND;
}

function isRename(step: JobStep | undefined): boolean {
  return step?.rename !== undefined;
}

/** How often the tests failed since the step began. */
function failuresIn(index: number, rounds: readonly RoundView[], plan: PlanWrites): number {
  const begin = rounds.findIndex((_round, place) => plan.current(rounds.slice(0, place + 1)) === index);
  return rounds
    .slice(begin)
    .flatMap((round) => round.calls)
    .filter((call) => isTestRun(call) && (readTestCounts(call.text)?.failed ?? 0) > 0).length;
}

/** Sources that the stacks of failing tests go through. */
function sourcesIn(output: string): string[] {
  return [...output.matchAll(/file:\/\/\S*?\/(src\/[\w.-]+\.js):\d+/g)].map((match) => match[1] ?? '');
}

function failingTestsIn(output: string): string[] {
  return [...output.matchAll(/^test at (\S+?):\d+/gm)].map((match) => match[1] ?? '');
}

/** Paths of the project that a search result names, relative, each once. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(/(?:^|[\s/])((?:(?:src|test)\/[\w.-]+\.js|README\.md))(?=$|[\s:])/gm);
  return [...new Set([...found].map((match) => match[1] ?? ''))];
}

function summary(rounds: readonly RoundView[]): string {
  const runs = rounds.flatMap((round) => round.calls).filter(isTestRun);
  const counts = runs.map((run) => readTestCounts(run.text)).filter((count) => count !== undefined);
  const edits = rounds.flatMap((round) => round.calls).filter((call) => call.name === 'Edit' && !call.failed);
  const files = new Set(edits.map((call) => call.input.file_path));
  const end = counts.at(-1);
  const failed = counts.filter((count) => count.failed > 0).length;
  return [
    `The ${RENAMES.length} names are changed in ${files.size} files.`,
    `The tests ran ${runs.length} times, ${failed} of them with failures that are mended; at the end ${end ? testCountsText(end) : 'nothing is known'}.`,
  ].join(' ');
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
