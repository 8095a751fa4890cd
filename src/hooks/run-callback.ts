import { errorText } from '../errors.js';
import type { HookCallback, HookInput } from '../protocol/hooks.js';
import { formatPath } from '../schema/input-error.js';
import { type HookOutcome, hookAnswerSchema } from './answer.js';

export interface CallbackRun {
  /** How messages name the hook: event and function name or position. */
  name: string;
  callback: HookCallback;
  input: HookInput;
  toolUseId: string | undefined;
  timeoutMs: number;
  /** What a throw or a junk answer does. */
  onFailure: 'continue' | 'block';
  /** What running out of time does. A guard that did not answer must not count as a yes. */
  onTimeout: 'continue' | 'block';
  signal: AbortSignal;
}

/**
 * Runs one callback within its time. Never throws: whatever the callback does becomes an outcome. The signal it gets
 * is aborted at the time limit and when the run is interrupted, and it is not waited for after that.
 */
export async function runCallback(run: CallbackRun): Promise<HookOutcome> {
  const abort = new AbortController();
  let end: (why: 'timeout' | 'interrupt') => void = () => {};
  const ended = new Promise<'timeout' | 'interrupt'>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(() => end('timeout'), run.timeoutMs);
  const interrupt = () => end('interrupt');
  if (run.signal.aborted) interrupt();
  run.signal.addEventListener('abort', interrupt, { once: true });
  try {
    const answered = Promise.resolve()
      .then(() => run.callback(run.input, run.toolUseId, { signal: abort.signal }))
      .then((value) => ({ value }));
    const first = await Promise.race([answered, ended]);
    if (typeof first === 'string') {
      // Its late rejection belongs to nobody any more; without a handler it would end the process.
      answered.catch(() => undefined);
      const failure =
        first === 'timeout' ? `gave no answer within ${run.timeoutMs / 1000} s` : 'was interrupted';
      return { hook: run.name, failure, timedOut: true, blocks: run.onTimeout === 'block' };
    }
    const parsed = hookAnswerSchema.safeParse(first.value ?? {});
    if (parsed.success) return { hook: run.name, answer: parsed.data };
    const issue = parsed.error.issues[0];
    const failure = `gave an answer that is not valid (${formatPath(issue?.path ?? [])}: ${issue?.message})`;
    return { hook: run.name, failure, timedOut: false, blocks: run.onFailure === 'block' };
  } catch (error) {
    const failure = `threw: ${errorText(error)}`;
    return { hook: run.name, failure, timedOut: false, blocks: run.onFailure === 'block' };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', interrupt);
    abort.abort();
  }
}
