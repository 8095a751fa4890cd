import { type BigIntStats, constants } from 'node:fs';
import { chmod, chown, type FileHandle, link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { newId } from '../environment.js';
import { systemCode, WaymarkError } from '../errors.js';

/** A file as it was when it was read, so that a later write can tell whether it is still the same. */
export interface FileSnapshot {
  bytes: Buffer;
  stats: BigIntStats;
}

/**
 * Reads a whole regular file. Returns undefined when there is none.
 * Throws `invalid_input` for a folder, a device, a pipe, and for a file above `limit` bytes.
 */
export async function readSnapshot(realPath: string, limit: number): Promise<FileSnapshot | undefined> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK opening a named pipe would wait for a writer for ever.
    handle = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isDirectory()) throw new WaymarkError('invalid_input', `${realPath} is a folder, not a file.`);
    if (!stats.isFile()) {
      throw new WaymarkError(
        'invalid_input',
        `${realPath} is not a regular file (a device, pipe or socket).`,
      );
    }
    if (stats.size > limit) {
      throw new WaymarkError(
        'invalid_input',
        `${realPath} has ${stats.size} bytes, more than the ${limit} this tool takes. Change it with a command instead.`,
      );
    }
    return { bytes: await handle.readFile(), stats };
  } finally {
    await handle.close();
  }
}

async function writeTemporary(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(bytes);
    // On disk before the name points to it: a power cut leaves the old file or the new one, never an empty one.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeTemporary(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    // Already renamed or never made: there is nothing to clear away.
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** Makes the file and its parent folders. Throws `invalid_input` when a file has appeared there meanwhile. */
export async function createFile(realPath: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(realPath), { recursive: true });
  const temporary = temporaryPath(realPath);
  try {
    await writeTemporary(temporary, bytes);
    // A link, unlike a rename, fails when the name is taken.
    await link(temporary, realPath);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw changedMeanwhile(realPath);
    // File systems without hard links; a name that is taken is refused there too, by 'wx'.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    await writeTemporary(realPath, bytes);
  } finally {
    await removeTemporary(temporary);
  }
}

/**
 * Puts new bytes into an existing file: readers see the old file or the new one, never half of it; mode and owner stay.
 * Where a rename would lose something (other names of the file, a folder that cannot be written, a foreign owner), the
 * file is written in place. Throws `invalid_input` when the file is no longer what `before` says.
 */
export async function replaceFile(realPath: string, before: FileSnapshot, bytes: Uint8Array): Promise<void> {
  if (before.stats.nlink > 1n) return writeInPlace(realPath, before, bytes);
  // A rename asks for a writable folder only and would pass over a file that is marked read-only.
  const probe = await open(realPath, 'r+');
  await probe.close();
  const temporary = temporaryPath(realPath);
  try {
    await writeTemporary(temporary, bytes);
    const made = await stat(temporary, { bigint: true });
    if (made.uid !== before.stats.uid || made.gid !== before.stats.gid) {
      await chown(temporary, Number(before.stats.uid), Number(before.stats.gid));
    }
    await chmod(temporary, Number(before.stats.mode & 0o7777n));
    await refuseIfChanged(realPath, before);
    await rename(temporary, realPath);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'EBUSY') throw error;
    await writeInPlace(realPath, before, bytes);
  } finally {
    await removeTemporary(temporary);
  }
}

async function writeInPlace(realPath: string, before: FileSnapshot, bytes: Uint8Array): Promise<void> {
  await refuseIfChanged(realPath, before);
  const handle = await open(realPath, 'r+');
  try {
    // Written before it is cut, so that a full disk is noticed while the longer old end is still there.
    await handle.writeFile(bytes);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function refuseIfChanged(realPath: string, before: FileSnapshot): Promise<void> {
  const now = await stat(realPath, { bigint: true });
  const { ino, size, mtimeNs } = before.stats;
  if (now.ino !== ino || now.size !== size || now.mtimeNs !== mtimeNs) throw changedMeanwhile(realPath);
}

function changedMeanwhile(realPath: string): WaymarkError {
  return new WaymarkError(
    'invalid_input',
    `${realPath} was changed by someone else at this very moment; nothing was written. Read it again.`,
  );
}

function temporaryPath(realPath: string): string {
  return join(dirname(realPath), `.${basename(realPath).slice(0, 80)}.${newId().slice(0, 8)}.tmp`);
}
