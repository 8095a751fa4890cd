import { basename, dirname, join } from 'node:path';
import { systemCode, WaymarkError } from '../errors.js';
import type { Disk } from './disk.js';
import { checkTaskId } from './task-id.js';

/** The file of a task in the resolved folder of its list. Throws `invalid_id`; the path never leaves the folder. */
export function taskPath(folder: string, id: string): string {
  checkTaskId(id);
  const path = join(folder, `${id}.json`);
  if (dirname(path) !== folder) {
    throw new WaymarkError('path_outside', `Task ${JSON.stringify(id)} would lie outside of ${folder}.`);
  }
  return path;
}

/** The id that a file name stands for, or undefined for names that are no task file's. */
export function taskIdOf(fileName: string): string | undefined {
  return fileName.endsWith('.json') ? fileName.slice(0, -'.json'.length) : undefined;
}

/**
 * The list's folder with all links resolved, so that every spelling of its path uses the same locks; null when it
 * does not exist. Throws `invalid_id` when the disk does not tell letter case apart and the folder belongs to a
 * name spelled otherwise, `path_outside` when the folder is a link to another place.
 */
export async function resolveListFolder(disk: Disk, root: string, listId: string): Promise<string | null> {
  const asked = join(root, listId);
  let realRoot: string;
  let real: string;
  try {
    realRoot = await disk.realpath(root);
    real = await disk.realpath(asked);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
  if (real === join(realRoot, listId)) return real;
  const inRoot = dirname(real) === realRoot;
  if (inRoot && basename(real).toLowerCase() === listId.toLowerCase()) {
    throw new WaymarkError(
      'invalid_id',
      `Task list "${listId}" would share a folder with "${basename(real)}", because the disk of ${root} does not tell letter case apart. Use that spelling, or another name.`,
      { details: { listId, existing: basename(real), root } },
    );
  }
  throw new WaymarkError(
    'path_outside',
    `The folder of task list "${listId}", ${asked}, is a link to ${real}. Links are not followed; to keep lists elsewhere, set options.tasks.dir.`,
    { details: { path: asked, real } },
  );
}
