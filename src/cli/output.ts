import type { Writable } from 'node:stream';

/** One of the command's two output streams. */
export interface Output {
  readonly isTerminal: boolean;
  /**
   * Resolves when the operating system has taken the whole text, so that a process that ends afterwards loses
   * nothing. Never rejects: a stream that cannot be written any more is told through `closed`.
   */
  write(text: string): Promise<void>;
  /** Aborted when the reader went away (`EPIPE`) or the disk is full; the reason is the stream's error. */
  readonly closed: AbortSignal;
}

/** Wraps a stream for the rest of the process's life. */
export function openOutput(stream: Writable & { isTTY?: boolean }): Output {
  const closed = new AbortController();
  stream.on('error', (error) => closed.abort(error));
  return {
    isTerminal: stream.isTTY === true,
    closed: closed.signal,
    write: (text) =>
      new Promise((resolve) => {
        if (closed.signal.aborted || text === '') return resolve();
        stream.write(text, (error) => {
          if (error) closed.abort(error);
          resolve();
        });
      }),
  };
}
