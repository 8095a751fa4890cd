import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../environment.js';
import { systemCode, WaymarkError } from '../errors.js';
import { defineTool, type ToolContext } from '../tool.js';
import { SKIPPED_FOLDERS } from '../workspace/search/search.js';

/** Names in one answer. */
const MOST_FILES = 100;
const LONGEST_WALK_MS = 30_000;

const globInputSchema = z.strictObject({
  pattern: z.string().min(1).describe('Such as src/**/*.ts'),
  path: z.string().optional().describe('Folder; default the working folder'),
});

export interface GlobOutput {
  filenames: string[];
  numFiles: number;
  truncated: boolean;
  totalMatches: number;
  durationMs: number;
}

/** Finds files by their path, the newest first. */
export const GlobTool = defineTool({
  name: 'Glob',
  description: 'Finds files by a pattern of their path, newest first. Leaves out node_modules and .git.',
  inputSchema: globInputSchema,
  access: ({ pattern, path }) => ({ kind: 'read', path: split(pattern, path).folder }),
  isReadOnly: () => true,
  async call(input, { workspace, signal }) {
    const started = systemClock();
    const { folder, rest } = split(input.pattern, input.path);
    const root = await workspace.realPath(folder);
    await mustBeFolder(root, folder);
    const found = await find(rest, root, signal);
    const newest = await newestFirst(found);
    const filenames = newest.slice(0, MOST_FILES);
    const data: GlobOutput = {
      filenames,
      numFiles: filenames.length,
      truncated: newest.length > filenames.length,
      totalMatches: newest.length,
      durationMs: systemClock() - started,
    };
    const shown = filenames.map((path) => workspace.display(path)).join('\n');
    if (newest.length === 0)
      return { data, content: `No files match ${input.pattern} in ${workspace.display(root)}.` };
    return {
      data,
      content: data.truncated
        ? `${shown}\n[${newest.length - MOST_FILES} more; use a narrower pattern]`
        : shown,
    };
  },
});

/**
 * The folder that a pattern can reach and the pattern from there. `..` is followed in the fixed part only: behind a
 * wildcard it could lead anywhere.
 */
function split(pattern: string, path: string | undefined): { folder: string; rest: string } {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@]/.test(part));
  const fixed = parts.slice(0, wild < 0 ? parts.length - 1 : wild);
  const rest = parts.slice(fixed.length);
  if (rest.includes('..')) {
    throw new WaymarkError(
      'invalid_input',
      `The pattern ${pattern} has .. behind a wildcard. Give the folder as path.`,
    );
  }
  const prefix = isAbsolute(pattern) && fixed.every((part) => part === '') ? '/' : fixed.join('/');
  return { folder: isAbsolute(prefix) ? prefix : join(path ?? '.', prefix), rest: rest.join('/') };
}

async function mustBeFolder(root: string, asked: string): Promise<void> {
  const stats = await stat(root).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!stats) throw new WaymarkError('invalid_input', `The folder ${asked} does not exist.`);
  if (!stats.isDirectory()) throw new WaymarkError('invalid_input', `${asked} is a file, not a folder.`);
}

async function find(pattern: string, cwd: string, signal: ToolContext['signal']): Promise<string[]> {
  // Loaded on the first search: it is not needed to start.
  const { glob } = await import('tinyglobby');
  const limit = AbortSignal.timeout(LONGEST_WALK_MS);
  const found = await glob([pattern], {
    cwd,
    dot: true,
    // Links could lead out of the folders that may be read.
    followSymbolicLinks: false,
    ignore: SKIPPED_FOLDERS.map((name) => `**/${name}/**`),
    signal: AbortSignal.any([signal, limit]),
  });
  if (signal.aborted) throw new WaymarkError('aborted', 'The search was interrupted.');
  if (limit.aborted) {
    throw new WaymarkError(
      'invalid_input',
      `The search took longer than ${LONGEST_WALK_MS / 1000} s. Give a narrower pattern or a path.`,
    );
  }
  return found.map((path) => resolve(cwd, path));
}

async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const timed = await Promise.all(
    paths.map(async (path) => ({
      path,
      // A file that vanished in between is shown last, not an error.
      time: await stat(path).then(
        (stats) => stats.mtimeMs,
        () => 0,
      ),
    })),
  );
  return timed.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}
