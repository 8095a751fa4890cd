/** The last one in line for each key; a key without anybody in line has no entry. */
const lines = new Map<string, Promise<void>>();

/**
 * Waits until everybody of this process who asked earlier for the key has left, at most `limitMs` milliseconds.
 * Gives the function to leave with, or says why there is no turn (the place in line is then given up).
 */
export async function takeTurn(
  key: string,
  limitMs: number,
  signal?: AbortSignal,
): Promise<(() => void) | 'timeout' | 'aborted'> {
  if (signal?.aborted) return 'aborted';
  const before = lines.get(key);
  const { promise: mine, resolve: leave } = withResolvers();
  const line = before ? before.then(() => mine) : mine;
  lines.set(key, line);
  void line.then(() => {
    if (lines.get(key) === line) lines.delete(key);
  });
  if (!before) return leave;

  const { promise: stopped, resolve: stop } = withResolvers<'timeout' | 'aborted'>();
  const timer = setTimeout(() => stop('timeout'), Math.max(0, limitMs));
  const onAbort = () => stop('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const outcome = await Promise.race([before.then(() => 'turn' as const), stopped]);
    if (outcome === 'turn') return leave;
    leave();
    return outcome;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** `Promise.withResolvers` came with Node.js 22. */
function withResolvers<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
