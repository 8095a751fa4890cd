import { createHash } from 'node:crypto';

/** `unread`: the agent never saw it. `changed`: it is no longer what the agent saw. */
export type ReadState = 'unread' | 'same' | 'changed';

/** A short mark of a file's bytes. */
export function contentMark(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/**
 * What an agent last saw of each file, by real path. Content decides, never the modification time: a file that was
 * touched, or written again with the same bytes, is still what the agent saw.
 */
export class ReadLog {
  readonly #marks = new Map<string, string>();

  /** Notes the file as seen with this content (see `contentMark`). */
  record(realPath: string, mark: string): void {
    this.#marks.set(realPath, mark);
  }

  /** Compares the file's content of now with what was seen. */
  compare(realPath: string, mark: string): ReadState {
    const seen = this.#marks.get(realPath);
    if (seen === undefined) return 'unread';
    return seen === mark ? 'same' : 'changed';
  }
}
