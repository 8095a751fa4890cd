import type { SDKMessage, SDKResultMessage } from '../protocol/messages.js';
import type { Options } from '../protocol/options.js';

/** The part of `query()` that print mode needs. */
export interface RunningQuery {
  next(): Promise<IteratorResult<SDKMessage, unknown>>;
  /** Ends the run and everything it started. */
  close(): unknown;
}
export type RunQuery = (params: { prompt: string; options: Options }) => RunningQuery;

/** What became of a run. `failure` is set when it threw before its result. */
export interface RunEnd {
  result?: SDKResultMessage;
  failure?: unknown;
  sessionId?: string;
  /** Model answers seen. */
  turns: number;
  /** Set when the run's processes could not be ended properly. */
  closeProblem?: string;
}

export interface RunSettings {
  prompt: string;
  options: Options;
  /** Ends the run. */
  stop: AbortSignal;
  /** Longest wait for the result after `stop`, and for the run's processes after the result. Milliseconds. */
  graceMs: number;
  /** Gets every message before the next one is asked for. */
  onMessage: (message: SDKMessage) => Promise<void>;
}

/** Runs a query up to its result and ends it with all its processes. Never throws: a failure is data. */
export async function runToResult(query: RunQuery, settings: RunSettings): Promise<RunEnd> {
  const { prompt, options, stop, graceMs, onMessage } = settings;
  const end: RunEnd = { turns: 0 };
  const abortController = new AbortController();
  let graceTimer: NodeJS.Timeout | undefined;
  let onStop = () => {};
  const overdue = new Promise<'overdue'>((resolve) => {
    onStop = () => {
      abortController.abort(stop.reason);
      graceTimer = setTimeout(() => resolve('overdue'), graceMs);
    };
  });
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });

  let running: RunningQuery | undefined;
  try {
    running = query({ prompt, options: { ...options, abortController } });
    while (end.result === undefined) {
      const step = running.next();
      // When the wait is given up below, a late rejection has nobody to go to: the run is over by then.
      step.catch(() => {});
      const next = await Promise.race([step, overdue]);
      if (next === 'overdue' || next.done) break;
      const message = next.value;
      end.sessionId = message.session_id ?? end.sessionId;
      if (message.type === 'assistant') end.turns += 1;
      if (message.type === 'result') end.result = message;
      await onMessage(message);
    }
  } catch (thrown) {
    end.failure = thrown;
  } finally {
    clearTimeout(graceTimer);
    stop.removeEventListener('abort', onStop);
  }
  end.closeProblem = await closeWithin(running, graceMs);
  return end;
}

/** Undefined when the run closed in time, else what went wrong. */
async function closeWithin(running: RunningQuery | undefined, limitMs: number): Promise<string | undefined> {
  if (running === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`the run's processes did not end within ${limitMs / 1000} s`), limitMs);
  });
  const closing = (async () => {
    await running.close();
    return undefined;
  })();
  try {
    return await Promise.race([closing, late]);
  } catch (thrown) {
    return `closing the run failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  } finally {
    clearTimeout(timer);
  }
}
