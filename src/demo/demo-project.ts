import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Environment } from '../environment.js';
import { WaymarkError } from '../errors.js';
import { RENAMES } from './job.js';
import { SHOP_SOURCES } from './shop-sources.js';
import { SHOP_TESTS } from './shop-tests.js';
import { readTestCounts, type TestCounts } from './test-counts.js';

/** Texts by path, relative to the project and with `/`. */
export type Snapshot = ReadonlyMap<string, string>;

/** Longest run of the project's tests, in milliseconds. They take about half a second. */
const TEST_LIMIT_MS = 120_000;
const LARGEST_OUTPUT = 4 * 1024 * 1024;

/** Writes the corner shop into a folder, which is made. */
export async function writeDemoProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries({ ...SHOP_SOURCES, ...SHOP_TESTS })) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Every file of the project as it is now. */
export async function snapshot(folder: string): Promise<Snapshot> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).split(sep).join('/'), await readFile(path, 'utf8'));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Paths that differ between two snapshots, new and missing ones included. */
export function changedFiles(before: Snapshot, after: Snapshot): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** How often the names that were to go still stand in the project. */
export function oldNamesLeft(files: Snapshot): number {
  const names = new RegExp(RENAMES.map(({ from }) => from).join('|'), 'g');
  return [...files.values()].reduce((sum, text) => sum + (text.match(names)?.length ?? 0), 0);
}

/** How often the project still speaks of users, in any form. */
export function usersLeft(files: Snapshot): number {
  return [...files.values()].reduce((sum, text) => sum + (text.match(/user/gi)?.length ?? 0), 0);
}

/**
 * Runs the project's tests in a process of their own. Failing tests are counts, not a throw; throws `run_failed` when
 * the run gave no counts, and `aborted` on the signal.
 */
export async function runProjectTests(
  folder: string,
  options: { env: Environment; signal?: AbortSignal | undefined },
): Promise<TestCounts> {
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ['--test', '--test-reporter=spec'],
      {
        cwd: folder,
        env: { ...options.env },
        timeout: TEST_LIMIT_MS,
        maxBuffer: LARGEST_OUTPUT,
        ...(options.signal ? { signal: options.signal } : {}),
      },
      // Exit code 1 means failing tests; a run that broke down shows itself by output without counts.
      (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    );
  });
  if (options.signal?.aborted) throw new WaymarkError('aborted', 'The demo was interrupted.');
  const counts = readTestCounts(output);
  if (!counts) {
    throw new WaymarkError(
      'run_failed',
      `The tests in ${folder} gave no result: ${output.trim().slice(-500)}`,
    );
  }
  return counts;
}
