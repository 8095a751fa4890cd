import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, newId } from '../environment.js';
import { systemCode } from '../errors.js';

/** From the request to end until the kill that nobody can refuse, in milliseconds. */
const TERM_MS = 1000;

/** Set in the environment of a command, so that children which left its group are found again. */
const MARK = 'WAYMARK_COMMAND';

/** Nobody sits at the other end: what would open an editor, a pager or a prompt fails or goes on without. */
const UNATTENDED: Environment = {
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
};

export interface GroupOptions {
  cwd: string;
  env: Environment;
}

/**
 * A shell command as the leader of a session and process group of its own: no controlling terminal, an empty standard
 * input. `end` ends it with all its children.
 */
export class ProcessGroup {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #mark = newId();

  constructor(command: string, { cwd, env }: GroupOptions) {
    this.child = spawn(shell(), ['-c', command], {
      cwd,
      env: { ...env, ...UNATTENDED, [MARK]: this.#mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    living.add(this);
    if (living.size === 1) process.on('exit', killLiving);
  }

  /** Asks all processes to end and kills what is left after a second. Resolves when none is left, or after the kill. */
  async end(): Promise<void> {
    if (!this.signal('SIGTERM')) return this.forget();
    const deadline = 20;
    for (let round = 0; round < deadline; round++) {
      await sleep(TERM_MS / deadline);
      if (!this.isAlive()) return this.forget();
    }
    this.signal('SIGKILL');
    this.forget();
  }

  /** Whether a process of the command is left. */
  isAlive(): boolean {
    return this.signal(0);
  }

  /** Sends to the group and to children that left it; false when there was nobody. `0` only asks. */
  signal(name: NodeJS.Signals | 0): boolean {
    const leader = this.child.pid;
    if (leader === undefined) return false;
    const marked = markedProcesses(`${MARK}=${this.#mark}`);
    // The number of a leader that has ended may belong to somebody else by now.
    const isRunning = this.child.exitCode === null && this.child.signalCode === null;
    const isOurs = isRunning || marked === undefined || marked.some((pid) => groupOf(pid) === leader);
    const inGroup = isOurs && send(-leader, name);
    const others = (marked ?? []).filter((pid) => send(pid, name));
    return inGroup || others.length > 0;
  }

  /** To be called when nothing of the command is left, or nothing more is to be done about it. */
  forget(): void {
    living.delete(this);
    if (living.size === 0) process.off('exit', killLiving);
  }
}

/** Groups that may still have processes. A host that ends without closing leaves none behind. */
const living = new Set<ProcessGroup>();

function killLiving(): void {
  for (const group of living) group.signal('SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to another user (a command that called sudo); nothing can be done about it.
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}

/** Processes with this entry in their environment; undefined where the system does not tell. */
function markedProcesses(entry: string): number[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(entry))
    .map(Number);
}

/** The process group of a process, on Linux. */
function groupOf(pid: number): number | undefined {
  // After the name, which may hold anything, in brackets: state, parent, group.
  const group = /.*\) \S+ \d+ (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1];
  return group === undefined ? undefined : Number(group);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Ended by now, or of another user: not ours to end.
    return '';
  }
}

/** Bash where there is one: commands are written for it. */
function shell(): string {
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
}
