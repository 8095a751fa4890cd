import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from '../errors.js';
import type { Disk } from './disk.js';

/**
 * Waits between tries of a rename, milliseconds. A virus scanner or a reader lets go within some tens; after the
 * 630 ms that these add up to somebody holds the file for good.
 */
const RENAME_WAITS = [10, 20, 40, 80, 160, 320];

/** On Windows a target that somebody has open refuses the rename with one of these, for a moment. */
const TRANSIENT = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** File systems without hard links (exFAT, some network mounts) answer `link` with one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** A name nobody else uses, in the same folder so that a rename stays on one disk; no reader of `*.json` sees it. */
function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
}

/** Writes the text beside the path and gives the temporary name; leaves nothing behind when it throws. */
async function stageFile(disk: Disk, path: string, text: string): Promise<string> {
  const temporary = temporaryPath(path);
  try {
    await disk.writeFile(temporary, text, { flag: 'wx' });
  } catch (error) {
    await disk.rm(temporary, { force: true });
    throw error;
  }
  return temporary;
}

/** Puts a staged file in place of the old one, in one step for every reader. The staged file stays on a throw. */
async function putInPlace(disk: Disk, temporary: string, path: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await disk.rename(temporary, path);
      return;
    } catch (error) {
      const pause = RENAME_WAITS[attempt];
      if (pause === undefined || !TRANSIENT.has(systemCode(error) ?? '')) throw error;
      await wait(pause);
    }
  }
}

/** Replaces the file: readers and a killed writer's heirs see the old text or the new one, whole. */
export async function writeAtomic(disk: Disk, path: string, text: string): Promise<void> {
  const temporary = await stageFile(disk, path, text);
  try {
    await putInPlace(disk, temporary, path);
  } catch (error) {
    await disk.rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Creates the file if there is none; false when there is one, which stays as it is. A hard link gives the new file
 * its name when it is whole, so that no reader sees it empty.
 */
export async function createExclusive(disk: Disk, path: string, text: string): Promise<boolean> {
  const temporary = await stageFile(disk, path, text);
  try {
    await disk.link(temporary, path);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return await createInPlace(disk, path, text);
  } finally {
    await disk.rm(temporary, { force: true });
  }
}

/** For disks without links. A reader may meet the file half written and must look again. */
async function createInPlace(disk: Disk, path: string, text: string): Promise<boolean> {
  try {
    await disk.writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    await disk.rm(path, { force: true });
    throw error;
  }
}

/** One file of a change that touches several: its text before, and after (null removes it). */
export interface Replacement {
  path: string;
  before: string;
  after: string | null;
}

/**
 * Changes several files: all, or none when an error is thrown. Everything that can run out of space happens before
 * the first file changes; what a failed rename leaves half done is put back. The files change in the given order,
 * which is what a killed process leaves behind in part.
 */
export async function replaceAll(disk: Disk, replacements: readonly Replacement[]): Promise<void> {
  const staged: string[] = [];
  const done: Replacement[] = [];
  try {
    const steps: Array<{ replacement: Replacement; temporary: string | null }> = [];
    for (const replacement of replacements) {
      const { path, after } = replacement;
      const temporary = after === null ? null : await stageFile(disk, path, after);
      if (temporary !== null) staged.push(temporary);
      steps.push({ replacement, temporary });
    }
    for (const { replacement, temporary } of steps) {
      if (temporary === null) await disk.rm(replacement.path);
      else await putInPlace(disk, temporary, replacement.path);
      done.push(replacement);
    }
  } catch (error) {
    for (const { path, before } of done.reverse()) await writeAtomic(disk, path, before);
    throw error;
  } finally {
    for (const temporary of staged) await disk.rm(temporary, { force: true });
  }
}
