import { afterEach, describe, expect, test, vi } from 'vitest';
import { anthropicModel, apiKeySource } from '../../src/model/anthropic.js';
import { type ModelAnswer, ModelCallError, type ModelEvent } from '../../src/model/model.js';
import type { RetrySettings } from '../../src/model/retry.js';
import {
  answer,
  httpError,
  type MessagesServer,
  rawStream,
  type ScriptSteps,
  stall,
  startMessagesServer,
} from '../../src/testing/index.js';
import { callEvents, halfText } from '../support/raw-answer.js';

const quick: RetrySettings = {
  maxRetries: 3,
  firstDelayMs: 1,
  longestDelayMs: 5,
  longestServerDelayMs: 60_000,
};
const body = Buffer.from(
  JSON.stringify({ model: 'm', max_tokens: 10, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
);

let server: MessagesServer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
});

interface Asked {
  events: ModelEvent[];
  answer: ModelAnswer | undefined;
  failure: ModelCallError['failure'] | undefined;
}

async function ask(
  steps: ScriptSteps,
  options: {
    retry?: RetrySettings;
    silenceLimitMs?: number;
    signal?: AbortSignal;
    env?: Record<string, string>;
  } = {},
): Promise<Asked> {
  server = await startMessagesServer({ steps });
  const { retry = quick, silenceLimitMs, signal = new AbortController().signal, env = {} } = options;
  const model = anthropicModel({
    env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url, ...env },
    retry,
    ...(silenceLimitMs === undefined ? {} : { silenceLimitMs }),
  });
  const asked: Asked = { events: [], answer: undefined, failure: undefined };
  try {
    for await (const event of model.ask(body, signal)) {
      asked.events.push(event);
      if (event.type === 'answer') asked.answer = event.answer;
    }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    asked.failure = error.failure;
  }
  return asked;
}

const retries = ({ events }: Asked) => events.flatMap((event) => (event.type === 'retry' ? [event] : []));
const textOf = (asked: Asked) =>
  asked.answer?.message.content.map((block) => (block.type === 'text' ? block.text : ''));
const overload = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const half = halfText('Hal');

describe('B71 failures', () => {
  test.each([
    ['an error as the first event', rawStream({ events: [overload] })],
    ['an error after half a text', rawStream({ events: [...half, overload] })],
    ['a stream that is cut', rawStream({ events: half, end: 'cut' })],
    ['a stream that ends without its end', rawStream({ events: half })],
    ['HTTP 529', httpError({ status: 529, type: 'overloaded_error', message: 'busy' })],
    ['HTTP 500', httpError({ status: 500, type: 'api_error', message: 'oops' })],
    [
      'HTTP 429',
      httpError({ status: 429, type: 'rate_limit_error', message: 'slow', headers: { 'retry-after': '0' } }),
    ],
  ])('%s: tried again, and what was streamed before is void', async (_name, step) => {
    const asked = await ask([step, answer({ text: 'Whole.' })]);
    expect(retries(asked)).toHaveLength(1);
    expect(textOf(asked)).toEqual(['Whole.']);
    server?.assertDone();
  });

  test('always an error: given up after the tries, with what it was', async () => {
    const asked = await ask(() => rawStream({ events: [overload] }));
    expect(retries(asked).map(({ attempt, maxRetries }) => [attempt, maxRetries])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(asked.failure).toMatchObject({ type: 'overloaded_error', status: null });
    expect(server?.requests).toHaveLength(4);
  });

  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
  ])('HTTP %i is not tried again, and its id and words are kept', async (status, type) => {
    const asked = await ask([httpError({ status, type, message: 'no', requestId: 'req_1' })]);
    expect(asked.failure).toMatchObject({
      status,
      type,
      requestId: 'req_1',
      message: expect.stringContaining('no'),
    });
    expect(retries(asked)).toEqual([]);
  });

  test("the server's word on trying again wins", async () => {
    const never = await ask([
      httpError({ status: 500, type: 'api_error', message: 'x', headers: { 'x-should-retry': 'false' } }),
    ]);
    expect(retries(never)).toEqual([]);
    await server?.close();
    const again = await ask([
      httpError({ status: 400, type: 'api_error', message: 'x', headers: { 'x-should-retry': 'true' } }),
      answer({ text: 'ok' }),
    ]);
    expect(textOf(again)).toEqual(['ok']);
  });

  test('the delay it asks for is taken, and an abort during the wait returns at once', async () => {
    const abort = new AbortController();
    const asking = ask(
      [
        httpError({
          status: 429,
          type: 'rate_limit_error',
          message: 'slow',
          headers: { 'retry-after': '50' },
        }),
      ],
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 200);
    const asked = await asking;
    expect(retries(asked)).toMatchObject([{ delayMs: 50_000 }]);
    expect(asked.failure?.type).toBe('aborted');
  });

  test('a port where nobody listens is a connection error that says so', async () => {
    const model = anthropicModel({
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
      retry: { ...quick, maxRetries: 0 },
    });
    const asking = (async () => {
      for await (const event of model.ask(body, new AbortController().signal)) void event;
    })();
    await expect(asking).rejects.toMatchObject({ failure: { status: null, type: 'connection_error' } });
  });

  test('a model that says nothing for too long is given up', async () => {
    const asked = await ask([stall({ ms: 20_000 })], {
      silenceLimitMs: 100,
      retry: { ...quick, maxRetries: 0 },
    });
    expect(asked.failure?.message).toContain('nothing for 0.1 s');
  });

  test('an interrupt in the middle of the stream ends it', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const asked = await ask([rawStream({ events: half, end: 'hang' })], { signal: abort.signal });
    expect(asked.failure?.type).toBe('aborted');
  });
});

describe('B65 the input of a call', () => {
  test.each<[string, string[], unknown, RegExp | undefined]>([
    ['that is no JSON', ['{"a": tru', ', }'], {}, /not valid JSON/],
    ['that is no object', ['[1]'], {}, /must be a JSON object/],
    ['with an escape in two pieces', ['{"a":"\\u00', 'e9"}'], { a: 'é' }, undefined],
    ['in empty pieces', ['', ''], {}, undefined],
    ['in no piece', [], {}, undefined],
  ])('%s', async (_name, pieces, input, problem) => {
    const asked = await ask([rawStream({ events: callEvents('T', pieces) })]);
    expect(asked.answer?.message.content).toMatchObject([{ type: 'tool_use', id: 'a', input }]);
    if (problem) expect(asked.answer?.brokenInputs.get('a')).toMatch(problem);
    else expect(asked.answer?.brokenInputs.size).toBe(0);
  });
});

test('B68 thinking comes out byte for byte, signature and order as they were', async () => {
  const content = [
    { type: 'thinking' as const, thinking: 'One – «two» 😀\n', signature: 'sig+/=1' },
    { type: 'text' as const, text: 'So.' },
    { type: 'tool_use' as const, id: 'a', name: 'T', input: { x: 1 } },
    { type: 'redacted_thinking' as const, data: 'AAA=' },
    { type: 'tool_use' as const, id: 'b', name: 'T', input: {} },
  ];
  const asked = await ask([answer({ content, chunkSize: 3 })]);
  expect(asked.answer?.message.content).toMatchObject(content);
  expect(asked.answer?.message.usage.output_tokens).toBeGreaterThan(0);
});

describe('credentials and address', () => {
  test.each([
    [{ ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_API_KEY'],
    [{ ANTHROPIC_AUTH_TOKEN: 't' }, 'ANTHROPIC_AUTH_TOKEN'],
    [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' }, 'ANTHROPIC_API_KEY'],
    [{ ANTHROPIC_API_KEY: ' ' }, 'none'],
    [{}, 'none'],
  ])('%j: %s', (env, source) => {
    expect(apiKeySource(env)).toBe(source);
    if (source === 'none') expect(() => anthropicModel({ env })).toThrow(/ANTHROPIC_API_KEY/);
  });

  test('nothing of this process is used where another environment was given', async () => {
    const strange = await startMessagesServer({ steps: () => answer({ text: 'stolen' }) });
    vi.stubEnv('ANTHROPIC_BASE_URL', strange.url);
    vi.stubEnv('ANTHROPIC_API_KEY', 'of-the-process');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-of-the-process: 1');
    try {
      const model = anthropicModel({ env: { ANTHROPIC_API_KEY: 'k' }, retry: { ...quick, maxRetries: 0 } });
      // The real address: whether it can be reached or not, the run is over before it could answer.
      for await (const event of model.ask(body, AbortSignal.timeout(50))) void event;
    } catch (error) {
      expect(error).toBeInstanceOf(ModelCallError);
    }
    expect(strange.requests).toHaveLength(0);
    await strange.close();
    await ask([answer({ text: 'ok' })]);
    expect(Object.keys(server?.requests[0]?.headers ?? {})).not.toContain('x-of-the-process');
    expect(JSON.stringify(server?.requests[0]?.headers)).not.toContain('of-the-process');
    vi.unstubAllEnvs();
  });

  test('headers of the environment that was given are sent', async () => {
    await ask([answer({ text: 'ok' })], { env: { ANTHROPIC_CUSTOM_HEADERS: 'x-one: 1\nx-two: a:b' } });
    expect(server?.requests[0]?.headers).toMatchObject({ 'x-one': '1', 'x-two': 'a:b' });
  });
});

test('the events of an answer are passed on as they came', async () => {
  const asked = await ask([answer({ text: 'Hello, world.', id: 'msg_1' })]);
  const types = asked.events.flatMap((event) => (event.type === 'stream_event' ? [event.event.type] : []));
  expect(types[0]).toBe('message_start');
  expect(types.at(-1)).toBe('message_stop');
});
