import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface CliRun {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<CliEnd>;
}

/** A home and a working folder of a test's own; nothing of the machine's settings or keys is in its environment. */
export interface Sandbox {
  home: string;
  cwd: string;
  env: Record<string, string>;
  remove(): void;
}

export function sandbox(env: Record<string, string> = {}): Sandbox {
  const home = mkdtempSync(join(tmpdir(), 'waymark-cli-home-'));
  const cwd = mkdtempSync(join(tmpdir(), 'waymark-cli-cwd-'));
  return {
    home,
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), ...env },
    remove: () => {
      for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a program, by default the built command; stdin is closed at once unless `stdin` is `'open'`. */
export function start(
  box: Sandbox,
  args: readonly string[],
  given: { program?: string; stdin?: string | Buffer | 'open'; env?: Record<string, string> } = {},
): CliRun {
  const [program, words] = given.program ? [given.program, args] : [process.execPath, [CLI, ...args]];
  const began = performance.now();
  const child = spawn(program, words, { cwd: box.cwd, env: { ...box.env, ...given.env }, stdio: 'pipe' });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // A command that refuses its input closes the pipe before all of it was written.
  child.stdin.on('error', () => {});
  if (given.stdin !== 'open') child.stdin.end(given.stdin ?? '');
  const ended = new Promise<CliEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        ms: performance.now() - began,
      }),
    );
  });
  return { child, ended };
}

/** A command line of the shell, with `$WAYMARK` for the built command. */
export function shell(box: Sandbox, line: string, env: Record<string, string> = {}): CliRun {
  const variables = { WAYMARK: CLI, NODE: process.execPath, ...env };
  return start(box, ['-c', line], { program: '/bin/bash', env: variables });
}
