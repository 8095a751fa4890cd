import { untilAborted } from '../abort.js';
import { WaymarkError } from '../errors.js';
import type { MessageParam } from '../protocol/api.js';
import type { SDKUserMessage } from '../protocol/messages.js';

/** The prompts of a query one by one, until there are no more or the signal is aborted. */
export async function* promptsOf(
  prompt: string | AsyncIterable<SDKUserMessage>,
  signal: AbortSignal,
): AsyncGenerator<MessageParam['content'], void> {
  if (typeof prompt === 'string') {
    yield prompt;
    return;
  }
  const source = prompt[Symbol.asyncIterator]();
  let done = false;
  try {
    for (;;) {
      const next = await untilAborted(source.next(), signal);
      done = next.done === true;
      if (next.done) return;
      const { message } = next.value;
      if (message?.role !== 'user') {
        throw new WaymarkError(
          'invalid_input',
          'A prompt must be { type: "user", message: { role: "user", content } }.',
        );
      }
      yield message.content;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Not waited for: a source that is in the middle of its next prompt ends only when that one has come.
    if (!done) void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}
