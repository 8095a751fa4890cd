import { newId, systemClock } from '../environment.js';
import type { ProcessGroup } from './process-group.js';
import { type CommandEnd, type CommandRequest, type RunningCommand, runCommand } from './run-command.js';

export type JobStatus = 'running' | 'completed' | 'failed' | 'stopped';

/** A background command as it is now. */
export interface JobView {
  /** `b` and 8 hex digits. */
  id: string;
  command: string;
  description: string;
  status: JobStatus;
  /** Null while it runs and when a signal ended it. */
  exitCode: number | null;
  /** Why it ended other than by itself. */
  endedBy: CommandEnd['endedBy'];
  outputPath: string | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
}

interface Job {
  view: JobView;
  running: RunningCommand;
  ended: Promise<void>;
}

/** The commands of a session, and everything they left running. `close` ends all of it. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #leftovers = new Set<ProcessGroup>();
  readonly #listeners = new Set<(job: JobView) => void>();

  /** Runs a command to its end. What it leaves in the background is ended by `close`. */
  async run(request: CommandRequest): Promise<{ running: RunningCommand; end: CommandEnd }> {
    const running = runCommand(request);
    this.#leftovers.add(running.group);
    const end = await running.ended;
    this.#letGo(running.group);
    return { running, end };
  }

  /** Starts a background command. Its output goes to a file from the start. */
  start(request: Omit<CommandRequest, 'signal' | 'fileAtOnce'>, description = ''): JobView {
    const running = runCommand({ ...request, fileAtOnce: true });
    const id = `b${newId().slice(0, 8)}`;
    const view: JobView = {
      id,
      command: request.command,
      description,
      status: 'running',
      exitCode: null,
      endedBy: 'itself',
      outputPath: running.output.path,
      startedAt: systemClock(),
    };
    const job: Job = { view, running, ended: Promise.resolve() };
    job.ended = running.ended.then((end) => this.#finish(job, end));
    this.#jobs.set(id, job);
    return { ...view };
  }

  get(id: string): JobView | undefined {
    const job = this.#jobs.get(id);
    return job && { ...job.view };
  }

  list(): JobView[] {
    return [...this.#jobs.values()].map(({ view }) => ({ ...view }));
  }

  /** The newest `chars` characters of a job's output. */
  newestOutput(id: string, chars: number): string {
    return this.#jobs.get(id)?.running.output.newest(chars) ?? '';
  }

  /** Resolves when the job has ended, the time is up, or the signal is aborted, whichever is first. */
  async waitFor(id: string, limitMs: number, signal: AbortSignal): Promise<void> {
    const job = this.#jobs.get(id);
    if (!job) return;
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
      stop = resolve;
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      await Promise.race([job.ended, limit]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends a running job with all its children and gives how it ended; undefined when there is no such job. */
  async stop(id: string): Promise<JobView | undefined> {
    const job = this.#jobs.get(id);
    if (!job) return undefined;
    if (job.view.status === 'running') {
      await job.running.stop();
      await job.ended;
    }
    return { ...job.view };
  }

  /** Told when a job has ended. Returns the removal. */
  subscribe(listener: (job: JobView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends every job and everything that any command left running. */
  async close(): Promise<void> {
    this.#listeners.clear();
    const groups = [...this.#leftovers];
    this.#leftovers.clear();
    await Promise.all([
      ...[...this.#jobs.values()].map(({ view }) => this.stop(view.id)),
      ...groups.map((group) => group.end()),
    ]);
  }

  #finish(job: Job, end: CommandEnd): void {
    const { view, running } = job;
    view.exitCode = end.code;
    view.endedBy = end.endedBy;
    view.status = end.endedBy === 'abort' ? 'stopped' : end.code === 0 ? 'completed' : 'failed';
    this.#letGo(running.group);
    for (const listener of this.#listeners) listener({ ...view });
  }

  #letGo(group: ProcessGroup): void {
    if (group.isAlive()) this.#leftovers.add(group);
    else {
      this.#leftovers.delete(group);
      group.forget();
    }
  }
}
