import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));

const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

export interface Worker {
  /** The next value that the process says; undefined when it has ended. */
  next(): Promise<unknown>;
  /** Lets a process that said `ready` begin. */
  go(): void;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Starts a process on a task list, with a clean environment. It is ended with the tests of the file at the latest. */
export function startWorker(job: {
  do: string;
  dir: string;
  listId: string;
  [key: string]: unknown;
}): Worker {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(job)], {
    env: { PATH: process.env.PATH, HOME: job.dir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next() {
      const line = await lines.next();
      return line.done ? undefined : JSON.parse(line.value);
    },
    go: () => void child.stdin.write('go\n'),
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => {
      child.once('close', (code, signal) => {
        started.delete(child);
        resolve({ code, signal, stderr });
      });
    }),
  };
}

/** Lets all of them begin when all are there, and gives what each says then, and how it ended. */
export async function runTogether(workers: readonly Worker[]): Promise<unknown[]> {
  for (const worker of workers) await worker.next();
  for (const worker of workers) worker.go();
  return await Promise.all(
    workers.map(async (worker) => {
      const said = await worker.next();
      const { code, stderr } = await worker.ended;
      if (code !== 0) throw new Error(`The process ended with ${code}: ${stderr}`);
      return said;
    }),
  );
}
