import type { Readable } from 'node:stream';
import { WaymarkError } from '../errors.js';

/** 10 MB. More than that fits no model's context and is a mistake in the pipeline before us. */
export const MAX_PIPED_BYTES = 10 * 1024 * 1024;

export interface PipedInput {
  stream: Readable;
  isTerminal: boolean;
  /** A socket is what a parent program leaves open and unused (Node's `exec`); a shell's pipe is none. */
  isSocket: boolean;
}

export interface PipedTextLimits {
  /** After this long without a byte a person is told what we wait for, milliseconds. */
  noticeMs: number;
  /** Longest wait for the next bytes, milliseconds. Long, as `npm test | tail | waymark -p` is silent for minutes. */
  idleMs: number;
  maxBytes: number;
}

const LIMITS: PipedTextLimits = { noticeMs: 3_000, idleMs: 600_000, maxBytes: MAX_PIPED_BYTES };

/**
 * Reads stdin to its end. A terminal is never read. With a prompt already given, a socket that stays silent for
 * `noticeMs` counts as empty, because nobody is going to write to it.
 *
 * @throws WaymarkError `invalid_input` beyond `maxBytes`, after `idleMs` of silence, or when stdin cannot be read;
 * the signal's reason when interrupted.
 */
export function readPipedText(
  input: PipedInput,
  given: { hasPrompt: boolean; signal: AbortSignal; notice: (line: string) => void },
  limits: PipedTextLimits = LIMITS,
): Promise<string> {
  if (input.isTerminal) return Promise.resolve('');
  const { stream } = input;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let idle: NodeJS.Timeout | undefined;

    const finish = (settle: () => void) => {
      clearTimeout(idle);
      clearTimeout(first);
      given.signal.removeEventListener('abort', onAbort);
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onEnd);
      stream.pause();
      settle();
    };
    const fail = (message: string, cause?: unknown) =>
      finish(() => reject(new WaymarkError('invalid_input', message, { cause })));
    const restartIdle = () => {
      clearTimeout(idle);
      idle = setTimeout(
        () => fail(`stdin sent nothing for ${limits.idleMs / 1000} s: close it, or use </dev/null`),
        limits.idleMs,
      );
    };
    const onData = (chunk: Buffer | string) => {
      clearTimeout(first);
      restartIdle();
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += piece.length;
      if (bytes > limits.maxBytes) {
        const most = Math.floor(limits.maxBytes / 1024 / 1024);
        fail(`stdin is longer than ${most} MB: save it to a file and name the file in the prompt`);
        return;
      }
      chunks.push(piece);
    };
    // Decoded once at the end: a character may lie across two chunks.
    const onEnd = () => finish(() => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
    const onError = (error: Error) => fail(`stdin cannot be read: ${error.message}`, error);
    const onAbort = () => finish(() => reject(given.signal.reason));

    const first = setTimeout(() => {
      if (given.hasPrompt && input.isSocket) {
        given.notice('stdin is open but sent nothing; going on with the prompt alone');
        finish(() => resolve(''));
        return;
      }
      given.notice('waiting for piped text on stdin (use </dev/null when there is none)');
    }, limits.noticeMs);

    restartIdle();
    if (given.signal.aborted) return onAbort();
    given.signal.addEventListener('abort', onAbort, { once: true });
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onEnd);
  });
}

/** The prompt, then the piped text. Undefined when there is nothing but white space. */
export function joinPrompt(prompt: string | undefined, piped: string): string | undefined {
  const parts = [prompt ?? '', piped].filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
