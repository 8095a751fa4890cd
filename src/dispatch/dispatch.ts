import { setMaxListeners } from 'node:events';
import type { CallResult, CheckedCall, RequestedCall } from './call-result.js';
import type { CallParts } from './tool-call.js';
import { ToolCall } from './tool-call.js';

/** Most calls of one answer that run at the same time. */
const MOST_AT_ONCE = 10;
/** The same call denied this often ends the run: the model does not take no for an answer. */
const MOST_SAME_DENIALS = 3;

interface Pending {
  call: ToolCall;
  checked: CheckedCall | CallResult;
}

/**
 * Runs the calls of one answer and gives exactly one result for each, in their order. Neighbours that are safe to run
 * beside others form a batch of at most 10: their hooks and permissions are asked at once, then they are started in
 * order. Any other call runs alone. One call's failure touches no other. Leaving the generator ends what still runs.
 */
export class Dispatch {
  readonly #parts: CallParts;
  readonly #denials = new Map<string, number>();

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  async *run(requested: readonly RequestedCall[], signal: AbortSignal): AsyncGenerator<CallResult, void> {
    const abort = new AbortController();
    // Each of the calls listens, and so may what it waits for: as many as there are is no leak.
    setMaxListeners(0, abort.signal);
    const forward = () => abort.abort(signal.reason);
    if (signal.aborted) forward();
    else signal.addEventListener('abort', forward, { once: true });
    let running: Array<Promise<CallResult>> = [];
    let stopped: CallResult['stop'];
    try {
      const calls = requested.map((item) => new ToolCall(this.#parts, item, abort.signal));
      const pending = await Promise.all(calls.map(async (call) => ({ call, checked: await call.check() })));
      for (const batch of batches(pending)) {
        const permitted = stopped ? [] : await Promise.all(batch.map(permit));
        // One that stops the run stops its neighbours as well: none of them has begun.
        stopped ??= permitted.map(stopOf).find((stop) => stop !== undefined);
        running = batch.map(({ call }, index) => start(call, permitted[index], stopped !== undefined));
        for (const run of running) {
          const result = this.#countDenial(await run);
          stopped ??= result.stop;
          yield result;
        }
      }
    } finally {
      abort.abort();
      signal.removeEventListener('abort', forward);
      // After the abort each run ends within its grace and none rejects.
      await Promise.all(running);
    }
  }

  #countDenial(result: CallResult): CallResult {
    if (!result.denial) return result;
    const key = JSON.stringify([result.call.name, result.call.input]);
    const count = (this.#denials.get(key) ?? 0) + 1;
    this.#denials.set(key, count);
    if (count < MOST_SAME_DENIALS || result.stop) return result;
    const text = `The same ${result.call.name} call was denied ${count} times.`;
    return { ...result, stop: { by: 'limit', text } };
  }
}

async function permit({ call, checked }: Pending): Promise<CheckedCall | CallResult> {
  return 'result' in checked ? checked : call.permit(checked);
}

function stopOf(permitted: CheckedCall | CallResult): CallResult['stop'] {
  return 'result' in permitted ? permitted.stop : undefined;
}

async function start(
  call: ToolCall,
  permitted: CheckedCall | CallResult | undefined,
  stopped: boolean,
): Promise<CallResult> {
  if (permitted && 'result' in permitted) return permitted;
  if (!permitted || stopped) return call.failed('Not run: the run was stopped before it came to this call.');
  return call.execute(permitted);
}

/** Neighbours that may run together; a call that did not pass its check does nothing and fits anywhere. */
function batches(pending: readonly Pending[]): Pending[][] {
  const groups: Pending[][] = [];
  let open: Pending[] = [];
  for (const item of pending) {
    if (!isSafe(item.checked)) {
      groups.push(open, [item]);
      open = [];
    } else {
      if (open.length === MOST_AT_ONCE) {
        groups.push(open);
        open = [];
      }
      open.push(item);
    }
  }
  groups.push(open);
  return groups.filter((group) => group.length > 0);
}

function isSafe(checked: CheckedCall | CallResult): boolean {
  if ('result' in checked) return true;
  const { tool, input } = checked;
  try {
    return (tool.isConcurrencySafe ? tool.isConcurrencySafe(input) : tool.isReadOnly?.(input)) === true;
  } catch {
    // A tool that cannot say is run alone.
    return false;
  }
}
