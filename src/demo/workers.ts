import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '../environment.js';
import { WaymarkError } from '../errors.js';
import { compiledFile } from '../package-files.js';
import { openTaskList } from '../tasks/open-task-list.js';
import type { Task } from '../tasks/task.js';
import { isRecord } from '../testing/wire-value.js';
import { snapshot } from './demo-project.js';
import { FILE_KEY, type WorkerJob, type WorkerOutcome } from './worker.js';

export interface WorkersReport {
  processes: number;
  /** Tasks made for the workers, and what the files on disk say of them afterwards. */
  tasks: number;
  completed: number;
  /** Tasks that more than one worker was given, or whose owner on disk is not the worker that got them. */
  claimed_twice: number;
  /** Tasks that are not finished or not there any more. */
  lost: number;
  /** Claims that came too late and were refused. */
  refused_claims: number;
  changes: number;
  tasks_by_worker: Record<string, number>;
}

interface WorkersOptions {
  folder: string;
  listsRoot: string;
  listId: string;
  env: Environment;
  signal?: AbortSignal | undefined;
}

const WORKERS = ['worker-1', 'worker-2', 'worker-3'];
/** From the start of the processes to their end, in milliseconds. The work takes about a second. */
const LIMIT_MS = 60_000;

/**
 * Puts a task for each file that still speaks of users on the list, lets three processes claim and do them at the same
 * time, and counts from disk what came of it. Throws `run_failed` when a worker breaks down, `aborted` on the signal.
 */
export async function runWorkers(options: WorkersOptions): Promise<WorkersReport> {
  const { folder, listsRoot, listId } = options;
  const ids = await createTasks(options);
  const outcomes = await runProcesses(
    WORKERS.map((name) => ({ name, folder, listsRoot, listId })),
    options,
  );
  const list = openTaskList({ listId, dir: listsRoot, env: {} });
  try {
    return countFromDisk(ids, new Map((await list.list()).map((task) => [task.id, task])), outcomes);
  } finally {
    await list.close();
  }
}

async function createTasks({ folder, listsRoot, listId, signal }: WorkersOptions): Promise<string[]> {
  const list = openTaskList({ listId, dir: listsRoot, env: {} });
  try {
    const ids: string[] = [];
    for (const [file, text] of await snapshot(folder)) {
      if (!/user/i.test(text)) continue;
      const task = {
        subject: `Call users customers in ${file}`,
        description: 'Local names, words in texts and comments.',
        metadata: { [FILE_KEY]: file },
      };
      ids.push((await list.create(task, { signal })).id);
    }
    return ids;
  } finally {
    await list.close();
  }
}

/** Pure. */
export function countFromDisk(
  ids: readonly string[],
  onDisk: ReadonlyMap<string, Task>,
  outcomes: readonly WorkerOutcome[],
): WorkersReport {
  const completed = ids.filter((id) => onDisk.get(id)?.status === 'completed');
  const claimedTwice = ids.filter((id) => {
    const winners = outcomes.filter(({ claimed }) => claimed.includes(id)).map(({ name }) => name);
    return winners.length > 1 || (winners.length === 1 && onDisk.get(id)?.owner !== winners[0]);
  });
  return {
    processes: outcomes.length,
    tasks: ids.length,
    completed: completed.length,
    claimed_twice: claimedTwice.length,
    lost: ids.length - completed.length,
    refused_claims: outcomes.reduce((sum, { refused }) => sum + refused, 0),
    changes: outcomes.reduce((sum, { changes }) => sum + changes, 0),
    tasks_by_worker: Object.fromEntries(outcomes.map(({ name, claimed }) => [name, claimed.length])),
  };
}

async function runProcesses(
  jobs: readonly WorkerJob[],
  { env, signal }: WorkersOptions,
): Promise<WorkerOutcome[]> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const stop = signal ? AbortSignal.any([signal, limit]) : limit;
  const workers = jobs.map((job) => startWorker(job, env));
  const end = () => {
    for (const { child } of workers) child.kill('SIGKILL');
  };
  stop.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    for (const { child } of workers) child.send({ go: true });
    return await Promise.all(workers.map(({ outcome }) => outcome));
  } catch (cause) {
    if (signal?.aborted) throw new WaymarkError('aborted', 'The demo was interrupted.', { cause });
    throw cause;
  } finally {
    stop.removeEventListener('abort', end);
    end();
    await Promise.all(workers.map(({ gone }) => gone));
  }
}

interface Worker {
  child: ChildProcess;
  ready: Promise<void>;
  outcome: Promise<WorkerOutcome>;
  /** Resolves when the process has ended, however. */
  gone: Promise<void>;
}

function startWorker(job: WorkerJob, env: Environment): Worker {
  const module = JSON.stringify(compiledFile('demo/worker.js'));
  const code = `import { runWorkerProcess } from ${module}; await runWorkerProcess(JSON.parse(process.argv[1]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, JSON.stringify(job)], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let problem = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    problem = (problem + chunk.toString()).slice(-2000);
  });
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const message = (wanted: (value: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      child.on('message', (value) => {
        if (isRecord(value) && wanted(value)) resolve(value);
      });
      child.once('error', reject);
      child.once('close', (code, signalName) => {
        const how = `${job.name} ended with ${signalName ?? `code ${code}`} before its work was done`;
        reject(new WaymarkError('run_failed', problem ? `${how}: ${problem.trim()}` : how));
      });
    });
  const ready = message((value) => 'ready' in value).then(() => undefined);
  const outcome = message((value) => 'claimed' in value).then((value) => value as object as WorkerOutcome);
  // Both are awaited in turn; a worker that fails early must not count as an unhandled rejection meanwhile.
  ready.catch(() => undefined);
  outcome.catch(() => undefined);
  return { child, ready, outcome, gone };
}
