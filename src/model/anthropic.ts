import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type AnthropicClient from '@anthropic-ai/sdk';
import { type Clock, type Environment, environment, systemClock } from '../environment.js';
import { errorText, WaymarkError } from '../errors.js';
import type { RawMessageStreamEvent } from '../protocol/api.js';
import { AnswerBuilder } from './answer-builder.js';
import { type Model, ModelCallError, type ModelEvent, type ModelFailure } from './model.js';
import { defaultRetry, type RetrySettings, retryAfter, retryDelay } from './retry.js';

// The client's CommonJS build loads in two thirds of the time of its ES modules (120 files resolved without the
// asynchronous loader), and its import is most of the time from process start to the first request.
const loadCommonJs = createRequire(import.meta.url);
let sdk: typeof import('@anthropic-ai/sdk') | undefined;

function client(settings: ConstructorParameters<typeof AnthropicClient>[0]): AnthropicClient {
  sdk ??= loadCommonJs('@anthropic-ai/sdk') as typeof import('@anthropic-ai/sdk');
  return new sdk.Anthropic(settings);
}

/** Where the key came from, as `system/init` names it. */
export type ApiKeySource = 'ANTHROPIC_API_KEY' | 'ANTHROPIC_AUTH_TOKEN' | 'none';

/** Which variable the credentials come from. A key wins over a token, as in the client. */
export function apiKeySource(env: Environment): ApiKeySource {
  if (env.ANTHROPIC_API_KEY?.trim()) return 'ANTHROPIC_API_KEY';
  return env.ANTHROPIC_AUTH_TOKEN?.trim() ? 'ANTHROPIC_AUTH_TOKEN' : 'none';
}

export interface AnthropicModelOptions {
  /** `ANTHROPIC_API_KEY` or `ANTHROPIC_AUTH_TOKEN`, and `ANTHROPIC_BASE_URL`. */
  env: Environment;
  retry?: RetrySettings;
  /** Longest silence before and inside a stream, in milliseconds. Default 10 minutes, as in the client. */
  silenceLimitMs?: number;
  clock?: Clock;
}

/**
 * The Messages API through the official client, streaming. The client sends bytes that are built once (it would
 * serialise the whole history again on each call), and retries are ours: an overload that comes inside the stream,
 * after HTTP 200, is out of the client's reach.
 *
 * @throws WaymarkError `no_credentials` when neither variable is set.
 */
export function anthropicModel(options: AnthropicModelOptions): Model {
  const { env, retry = defaultRetry, silenceLimitMs = 600_000, clock = systemClock } = options;
  const source = apiKeySource(env);
  if (source === 'none') {
    throw new WaymarkError(
      'no_credentials',
      'No credentials for the model: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) in the environment.',
    );
  }
  const credential = env[source]?.trim() ?? '';
  let anthropic: AnthropicClient | undefined;
  const connect = () => {
    anthropic ??= client({
      apiKey: source === 'ANTHROPIC_API_KEY' ? credential : null,
      authToken: source === 'ANTHROPIC_AUTH_TOKEN' ? credential : null,
      baseURL: env.ANTHROPIC_BASE_URL?.trim() || 'https://api.anthropic.com',
      defaultHeaders: customHeaders(env),
      maxRetries: 0,
      timeout: silenceLimitMs,
    });
    return anthropic;
  };
  // Loading the client takes longer than anything else at start: it happens here, once, before the first question.
  connect();

  async function* once(
    body: Uint8Array,
    signal: AbortSignal,
    started: number,
  ): AsyncGenerator<ModelEvent, void> {
    const abort = new AbortController();
    const silence = silenceTimer(silenceLimitMs, () => abort.abort());
    const forward = () => abort.abort();
    signal.addEventListener('abort', forward, { once: true });
    const builder = new AnswerBuilder();
    try {
      const stream = (await connect().post('/v1/messages', {
        body,
        headers: { 'content-type': 'application/json' },
        stream: true,
        signal: abort.signal,
      })) as AsyncIterable<RawMessageStreamEvent>;
      for await (const event of stream) {
        silence.heard();
        builder.add(event);
        yield { type: 'stream_event', event };
      }
    } finally {
      silence.stop();
      signal.removeEventListener('abort', forward);
      if (silence.ranOut && !signal.aborted) {
        // biome-ignore lint/correctness/noUnsafeFinally: the client reports its own abort; the reason is the silence.
        throw new ModelCallError(connectionFailure(`The model sent nothing for ${silenceLimitMs / 1000} s.`));
      }
    }
    const message = builder.finish();
    if (!message) {
      throw new ModelCallError(connectionFailure('The stream ended before the answer was complete.'));
    }
    yield {
      type: 'answer',
      answer: { message, brokenInputs: builder.brokenInputs, durationMs: clock() - started },
    };
  }

  return {
    async *ask(body, signal) {
      const started = clock();
      for (let attempt = 1; ; attempt++) {
        try {
          yield* once(body, signal, started);
          return;
        } catch (error) {
          const failure = signal.aborted ? abortFailure() : describeFailure(error, clock());
          const delayMs = retryDelay(failure, attempt, retry);
          if (delayMs === null) throw new ModelCallError(failure, { cause: error });
          yield { type: 'retry', attempt, maxRetries: retry.maxRetries, delayMs, failure };
          try {
            await sleep(delayMs, undefined, { signal });
          } catch (cause) {
            throw new ModelCallError(abortFailure(), { cause });
          }
        }
      }
    },
  };
}

/**
 * The headers of `ANTHROPIC_CUSTOM_HEADERS`, a line each. The client takes those of this process by itself; when the host
 * gave another environment they are taken out again.
 */
function customHeaders(env: Environment): Record<string, string | null> {
  const parse = (text: string | undefined) =>
    (text ?? '').split('\n').flatMap((line): Array<[string, string]> => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : [];
    });
  const own = parse(environment().ANTHROPIC_CUSTOM_HEADERS).map(([name]): [string, null] => [name, null]);
  return Object.fromEntries([...own, ...parse(env.ANTHROPIC_CUSTOM_HEADERS)]);
}

function silenceTimer(limitMs: number, onSilence: () => void) {
  const state = { ranOut: false, heard: () => timer.refresh(), stop: () => clearTimeout(timer) };
  const timer = setTimeout(() => {
    state.ranOut = true;
    onSilence();
  }, limitMs);
  return state;
}

function connectionFailure(message: string): ModelFailure {
  return {
    status: null,
    type: 'connection_error',
    message,
    requestId: null,
    retryAfterMs: null,
    shouldRetry: null,
  };
}

function abortFailure(): ModelFailure {
  return { ...connectionFailure('The request was interrupted.'), type: 'aborted' };
}

/** Reads what the client throws by its shape, so that a second copy of the client would do as well. */
function describeFailure(thrown: unknown, now: number): ModelFailure {
  if (thrown instanceof ModelCallError) return thrown.failure;
  const error = thrown as {
    status?: unknown;
    type?: unknown;
    requestID?: unknown;
    headers?: unknown;
    cause?: unknown;
  };
  const isApiError =
    typeof thrown === 'object' && thrown !== null && ('status' in thrown || 'requestID' in thrown);
  if (!isApiError) {
    // The client throws these from its own reader: a cut socket, an event that is no JSON.
    return connectionFailure(causeText(thrown));
  }
  const headers = error.headers instanceof Headers ? error.headers : new Headers();
  const status = typeof error.status === 'number' ? error.status : null;
  const word = headers.get('x-should-retry');
  return {
    status,
    type: typeof error.type === 'string' ? error.type : status === null ? 'connection_error' : 'api_error',
    message: causeText(thrown),
    requestId: typeof error.requestID === 'string' ? error.requestID : headers.get('request-id'),
    retryAfterMs: retryAfter(headers, now),
    shouldRetry: word === 'true' ? true : word === 'false' ? false : null,
  };
}

/** The message with the reasons below it: "Connection error" alone does not say that the port was closed. */
function causeText(thrown: unknown): string {
  const texts: string[] = [];
  for (let error = thrown; error !== undefined && texts.length < 4; ) {
    const text = errorText(error);
    if (!texts.includes(text)) texts.push(text);
    error = error instanceof Error ? error.cause : undefined;
  }
  return texts.join(': ');
}
