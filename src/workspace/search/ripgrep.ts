import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Environment } from '../../environment.js';
import { errorText, WaymarkError } from '../../errors.js';
import { RipgrepLines, ripgrepArguments } from './ripgrep-protocol.js';
import { comparePaths, LONGEST_SEARCH_MS, type SearchAnswer, type SearchEngine } from './search.js';

/** An executable file of that name on `PATH`, or undefined. */
export function findOnPath(name: string, env: Environment): string | undefined {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not there or not executable: the next folder may have it.
    }
  }
  return undefined;
}

/** The binary of the optional package `@vscode/ripgrep`, or undefined when it was not installed for this platform. */
export async function packagedRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    accessSync(rgPath, constants.X_OK);
    return rgPath;
  } catch {
    // An optional package: absent is one of its normal states, and the next engine takes over.
    return undefined;
  }
}

/** Enough of the error output to see what was wrong with the pattern. */
const MOST_STDERR = 4000;

/** Searches with a ripgrep program (13 or newer). */
export function ripgrepEngine(program: string): SearchEngine {
  return {
    name: 'ripgrep',
    search: (request, signal) =>
      new Promise<SearchAnswer>((resolve, reject) => {
        const isFile = statSync(request.path).isFile();
        const child = spawn(program, ripgrepArguments(request, isFile ? basename(request.path) : '.'), {
          cwd: isFile ? dirname(request.path) : request.path,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const lines = new RipgrepLines(request);
        let stderr = '';
        let ended: 'limit' | 'time' | 'abort' | undefined;
        const end = (why: typeof ended) => {
          ended ??= why;
          child.kill('SIGKILL');
        };
        const onAbort = () => end('abort');
        const timer = setTimeout(() => end('time'), LONGEST_SEARCH_MS);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        const release = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        child.stdout.on('data', (chunk: Buffer) => {
          if (ended === undefined && lines.add(chunk)) end('limit');
        });
        child.stderr.on('data', (chunk: Buffer) => {
          if (stderr.length < MOST_STDERR) stderr += chunk.toString();
        });
        child.on('error', (error) => {
          release();
          reject(
            new WaymarkError('run_failed', `${program} could not be run: ${errorText(error)}`, {
              cause: error,
            }),
          );
        });
        child.on('close', (code) => {
          release();
          if (ended === 'abort') {
            reject(new WaymarkError('aborted', 'The search was interrupted.'));
          } else if (ended === 'time') {
            reject(
              new WaymarkError(
                'invalid_input',
                `The search took more than ${LONGEST_SEARCH_MS / 1000} s. Name a narrower path, glob or pattern.`,
              ),
            );
          } else if (code === 2 && lines.files.length === 0 && stderr !== '') {
            reject(new WaymarkError('invalid_input', `The search could not be made: ${stderr.trim()}`));
          } else {
            resolve({
              files: lines.files.sort((a, b) => comparePaths(a.path, b.path)),
              stopped: ended === 'limit',
              warnings: stderr.trim() === '' || ended === 'limit' ? [] : [stderr.trim().slice(0, 500)],
            });
          }
        });
      }),
  };
}
