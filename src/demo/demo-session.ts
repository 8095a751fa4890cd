import { mkdir, readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { planReport } from '../attention/plan-report.js';
import { isReminder } from '../attention/reminder-text.js';
import { type Environment, newId, systemClock } from '../environment.js';
import { WaymarkError } from '../errors.js';
import type { SDKMessage, SDKResultMessage } from '../protocol/messages.js';
import type { Options } from '../protocol/options.js';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../testing/index.js';
import { isRecord, textOf } from '../testing/wire-value.js';
import type { DemoOptions } from './demo-options.js';
import { DemoProgress } from './demo-progress.js';
import {
  changedFiles,
  oldNamesLeft,
  runProjectTests,
  snapshot,
  usersLeft,
  writeDemoProject,
} from './demo-project.js';
import { type DemoRun, problemsOf, runLines, stepsOf } from './demo-report.js';
import { jobPrompt } from './job.js';
import { SIMULATED_MODEL, simulatedModel } from './simulated-model.js';
import { testCountsText } from './test-counts.js';
import { runWorkers } from './workers.js';

type RunQuery = (params: { prompt: string; options: Options }) => AsyncIterable<SDKMessage>;

/** What the run may know of the machine: enough to start Node.js and a shell. */
const PASSED_ON = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SHELL',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
];
const CREDENTIALS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'];
const MOST_TURNS = 120;

/** One run in one planning mode, in a folder of its own. */
export class DemoSession {
  readonly #options: DemoOptions;
  readonly #planning: 'todo' | 'tasks';
  readonly #folder: string;
  readonly #project: string;
  readonly #tell: (line: string) => void;
  readonly #progress: DemoProgress;
  readonly #reminderRounds: number[] = [];

  constructor(
    options: DemoOptions,
    planning: 'todo' | 'tasks',
    folder: string,
    tell: (line: string) => void,
  ) {
    this.#options = options;
    this.#planning = planning;
    this.#folder = folder;
    this.#project = join(folder, 'corner-shop');
    this.#tell = tell;
    this.#progress = new DemoProgress(tell);
  }

  async run(): Promise<{ report: DemoRun; model: string | undefined }> {
    const startedAt = systemClock();
    const { signal } = this.#options;
    await mkdir(join(this.#folder, 'home'), { recursive: true });
    await writeDemoProject(this.#project);
    const env = this.#environment();
    const before = await snapshot(this.#project);
    const testsBefore = await runProjectTests(this.#project, { env, signal });
    this.#tell('');
    this.#tell(`== ${this.#planning === 'todo' ? 'V1: a todo list in memory' : 'V2: tasks on disk'} ==`);
    this.#tell(`  ${before.size} files in ${this.#project}; tests: ${testCountsText(testsBefore)}`);

    const { messages, failure } = await this.#runAgent(env);
    const after = await snapshot(this.#project);
    const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
    const result = messages.find((message) => message.type === 'result');
    const plan = planReport(messages, this.#options.live ? {} : { reminderRounds: this.#reminderRounds });
    const parts: Omit<DemoRun, 'ok' | 'problems'> = {
      planning: this.#planning,
      session_id: result?.session_id ?? '',
      folder: this.#project,
      duration_ms: 0,
      total_cost_usd: this.#options.live ? (result?.total_cost_usd ?? null) : null,
      rounds: plan.rounds,
      planned_first: plan.plannedFirst,
      steps: stepsOf(plan),
      reminders: plan.reminders.map(({ round, followedByWrite }) => ({
        round,
        followed_by_plan_write: followedByWrite,
      })),
      files_changed: changedFiles(before, after),
      tests_before: testsBefore,
      test_runs: this.#progress.testRuns,
      tests_after: await runProjectTests(this.#project, { env, signal }),
      old_names_left: oldNamesLeft(after),
      verified_by: plan.verifiedBy,
    };
    const location = init?.type === 'system' && init.subtype === 'init' ? init.planning.location : undefined;
    if (location) await this.#addTaskList(parts, location, env);
    parts.duration_ms = systemClock() - startedAt;
    const problems = problemsOf(parts, failure);
    const report: DemoRun = { ...parts, ok: problems.length === 0, problems };
    this.#tell('');
    for (const line of runLines(report)) this.#tell(`  ${line}`);
    return { report, model: init?.type === 'system' && init.subtype === 'init' ? init.model : undefined };
  }

  /** The messages of the run, and why it failed when it did. */
  async #runAgent(env: Environment): Promise<{ messages: SDKMessage[]; failure: string | undefined }> {
    const server = this.#options.live ? undefined : await this.#startModel();
    const abortController = new AbortController();
    const { signal } = this.#options;
    const forward = () => abortController.abort(signal?.reason);
    signal?.addEventListener('abort', forward, { once: true });
    if (signal?.aborted) forward();
    const messages: SDKMessage[] = [];
    let thrown: unknown;
    try {
      const query = await loadQuery();
      for await (const message of query({
        prompt: jobPrompt(this.#project),
        options: this.#queryOptions(server ? { ...env, ...connection(server) } : env, abortController),
      })) {
        messages.push(message);
        this.#progress.see(message);
      }
    } catch (error) {
      // A query throws after its error result; the result says more. Without one the throw is all there is.
      thrown = error;
    } finally {
      signal?.removeEventListener('abort', forward);
      await server?.close();
    }
    if (signal?.aborted) throw new WaymarkError('aborted', 'The demo was interrupted.', { cause: thrown });
    const result = messages.find((message) => message.type === 'result');
    if (!result && thrown !== undefined) throw thrown;
    const violations = server?.violations ?? [];
    const failure = [resultProblem(result), ...violations].filter((text) => text !== undefined).join('; ');
    return { messages, failure: failure || undefined };
  }

  #startModel(): Promise<MessagesServer> {
    const decide = simulatedModel({ folder: this.#project, planning: this.#planning });
    return startMessagesServer({
      steps: (request, index) => {
        const reminder = newReminder(request);
        if (reminder !== undefined) {
          this.#reminderRounds.push(index);
          this.#progress.reminded(reminder);
        }
        return decide(request);
      },
    });
  }

  #queryOptions(env: Environment, abortController: AbortController): Options {
    const { live, reminders } = this.#options;
    return {
      abortController,
      cwd: this.#project,
      env,
      planning: this.#planning,
      // Edits in the project and its tests need nobody to be asked; anything else is denied.
      permissionMode: 'acceptEdits',
      allowedTools: ['Read', 'Grep', 'Glob', 'Bash(node --test:*)'],
      maxTurns: MOST_TURNS,
      stderr: (line) => this.#tell(`  ${line}`),
      ...(live ? {} : { model: SIMULATED_MODEL }),
      ...(reminders === undefined ? {} : { reminders }),
      ...(this.#planning === 'tasks' ? { tasks: { listId: `rename-${newId().slice(0, 8)}` } } : {}),
    };
  }

  #environment(): Environment {
    const { env, live } = this.#options;
    const names = live ? [...PASSED_ON, ...CREDENTIALS] : PASSED_ON;
    const passed = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
    const home = join(this.#folder, 'home');
    return {
      ...passed,
      // The tests must run on this very Node.js, wherever it is installed.
      PATH: [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter),
      HOME: home,
      USERPROFILE: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
    };
  }

  async #addTaskList(
    parts: Omit<DemoRun, 'ok' | 'problems'>,
    location: string,
    env: Environment,
  ): Promise<void> {
    const listId = basename(location);
    const { signal } = this.#options;
    const where = { folder: this.#project, listsRoot: dirname(location), listId };
    this.#tell('     Three worker processes open the same list and claim what is left, a file each.');
    const workers = await runWorkers({ ...where, env, signal });
    parts.workers = {
      ...workers,
      tests_after: await runProjectTests(this.#project, { env, signal }),
      users_left: usersLeft(await snapshot(this.#project)),
    };
    const files = (await readdir(location)).filter((name) => name.endsWith('.json'));
    parts.task_list = { list_id: listId, folder: location, files: files.length };
  }
}

async function loadQuery(): Promise<RunQuery> {
  const { query } = await import('../query.js');
  return query;
}

/** Only the run itself learns of the server, through its own environment. */
function connection(server: MessagesServer): Record<string, string> {
  return { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'simulated' };
}

function resultProblem(result: SDKResultMessage | undefined): string | undefined {
  if (!result) return 'the run gave no result';
  return result.subtype === 'success' ? undefined : `${result.subtype}: ${result.errors.join('; ')}`;
}

/** The reminder at the tail of the newest message, when there is one. */
function newReminder(request: RecordedRequest): string | undefined {
  const content: unknown = request.body.messages.at(-1)?.content;
  if (!Array.isArray(content)) return undefined;
  return content
    .filter(isRecord)
    .map((block) => (block.type === 'text' ? textOf(block.text) : ''))
    .find(isReminder);
}
