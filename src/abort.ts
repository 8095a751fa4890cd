import { WaymarkError } from './errors.js';

/**
 * What the promise gives, or a throw when the signal is aborted first; what the promise does after that is nobody's
 * business any more.
 *
 * @throws WaymarkError `aborted`.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new WaymarkError('aborted', 'the run was interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // A rejection that comes after the abort has nobody to go to; without a handler it would end the process.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
