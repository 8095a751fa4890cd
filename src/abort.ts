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

/** What the promise gives, or a throw when it has not ended `graceMs` after the abort. */
export async function withGrace<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const overdue = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(
        () => reject(new Error(`the call did not end within ${graceMs / 1000} s of the interrupt`)),
        graceMs,
      );
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  // A call that is given up may still fail later; nobody is left to be told.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, overdue]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
