import { WaymarkError } from '../errors.js';
import { contentMark } from './read-log.js';
import { type FileSnapshot, readSnapshot } from './replace-file.js';
import { hasLoneSurrogate } from './text-file.js';
import type { Workspace } from './workspace.js';

/** Bytes. Larger files are changed with commands. */
const LARGEST_FILE = 64 * 1024 * 1024;

/**
 * An existing file that the agent has seen as it is now; undefined when there is none.
 * Throws `invalid_input` when the agent never read it, when it changed since, and for what is no regular file.
 */
export async function readKnownFile(
  workspace: Workspace,
  realPath: string,
): Promise<FileSnapshot | undefined> {
  const snapshot = await readSnapshot(realPath, LARGEST_FILE);
  if (snapshot === undefined) return undefined;
  const state = workspace.readLog.compare(realPath, contentMark(snapshot.bytes));
  const name = workspace.display(realPath);
  if (state === 'unread') {
    throw new WaymarkError(
      'invalid_input',
      `${name} exists and was not read yet; nothing was changed. Read it first.`,
    );
  }
  if (state === 'changed') {
    throw new WaymarkError(
      'invalid_input',
      `${name} has changed since it was read; nothing was changed. Read it again.`,
    );
  }
  return snapshot;
}

/** The bytes of a text. Throws `invalid_input` for a text that no file can hold. */
export function encodeText(text: string): Buffer {
  if (hasLoneSurrogate(text)) {
    throw new WaymarkError(
      'invalid_input',
      'The text holds half a surrogate pair, which cannot be written as UTF-8.',
    );
  }
  return Buffer.from(text, 'utf8');
}
