import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import {
  answer,
  answerEvents,
  httpError,
  type MessagesServer,
  type MessagesServerOptions,
  rawStream,
  stall,
  startMessagesServer,
} from '../../src/testing/index.js';

const servers: MessagesServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(options: MessagesServerOptions) {
  const server = await startMessagesServer(options);
  servers.push(server);
  const client = new Anthropic({ apiKey: 'test-key', baseURL: server.url, maxRetries: 0 });
  return { server, client };
}

const ask = (content: Anthropic.MessageParam['content'] = 'Hello') => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content }],
});

async function eventsOf(stream: AsyncIterable<Anthropic.RawMessageStreamEvent>) {
  const seen: Anthropic.RawMessageStreamEvent[] = [];
  for await (const event of stream) seen.push(event);
  return seen;
}

describe('answers', () => {
  const full = answer({
    thinking: { text: 'Consider the files.', signature: 'sig-1' },
    text: 'I shall read both files and then say what is in them. 🌱 Nothing is torn apart.',
    toolUses: [
      { id: 'toolu_a', name: 'Read', input: { file_path: '/tmp/ä.txt' } },
      { name: 'Read', input: {} },
    ],
    usage: { input_tokens: 77, cache_read_input_tokens: 5 },
  });

  test('the client reads a streamed answer back as it was scripted, in several pieces', async () => {
    const { server, client } = await start({ steps: [full] });
    const stream = client.messages.stream(ask());
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(pieces.length).toBeGreaterThan(1);
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Consider the files.', signature: 'sig-1' },
      {
        type: 'text',
        text: 'I shall read both files and then say what is in them. 🌱 Nothing is torn apart.',
      },
      { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: '/tmp/ä.txt' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_[0-9a-f]{24}$/), name: 'Read', input: {} },
    ]);
    expect(message).toMatchObject({ stop_reason: 'tool_use', model: 'claude-sonnet-5-5' });
    expect(message.usage).toMatchObject({ input_tokens: 77, cache_read_input_tokens: 5 });
    expect(message.usage.output_tokens).toBeGreaterThan(1);
    server.assertDone();
  });

  test('without stream the same answer comes as one JSON body', async () => {
    const { server, client } = await start({ steps: [full] });
    const { data, request_id } = await client.messages.create(ask()).withResponse();
    expect(data).toMatchObject({ role: 'assistant', stop_reason: 'tool_use', content: { length: 4 } });
    expect(request_id).toMatch(/^req_/);
    server.assertDone();
  });

  test('the stream has the events of the real one in their order', async () => {
    const { client } = await start({ steps: [answer({ text: 'abcdef', chunkSize: 3 })] });
    const raw = await client.messages.create({ ...ask(), stream: true }).asResponse();
    const names = (await raw.text()).match(/^event: .*$/gm)?.map((line) => line.slice(7));
    expect(names).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('a refusal without content carries its details', async () => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: 'no' };
    const { client } = await start({ steps: [answer({ stopReason: 'refusal', stopDetails })] });
    const events = await eventsOf(await client.messages.create({ ...ask(), stream: true }));
    expect(events.find((event) => event.type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'refusal', stop_details: stopDetails },
    });
    expect(events.some((event) => event.type === 'content_block_start')).toBe(false);
  });

  test('the pieces of a tool input can be chosen, down to a torn escape', async () => {
    const toolInputChunks = () => ['', '{"a":"\\u00', 'e9"', '}'];
    const { client } = await start({
      steps: [answer({ toolUses: [{ name: 'T', input: { a: 'é' } }], toolInputChunks })],
    });
    const stream = client.messages.stream(ask());
    const raw: string[] = [];
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
        raw.push(event.delta.partial_json);
      }
    });
    expect((await stream.finalMessage()).content[0]).toMatchObject({ input: { a: 'é' } });
    expect(raw).toEqual(['', '{"a":"\\u00', 'e9"', '}']);
  });

  test('a script may be a function of the request', async () => {
    const { server, client } = await start({
      steps: async (request, index) => answer({ text: `${index}: ${request.body.messages.length}` }),
    });
    await client.messages.create(ask());
    const second = await client.messages.create(ask());
    expect(second.content[0]).toMatchObject({ text: '1: 1' });
    expect(server.requests.map(({ body }) => body.model)).toEqual(['claude-sonnet-5-5', 'claude-sonnet-5-5']);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer test-key' });
    expect(JSON.parse(server.requests[0]?.text ?? '')).toEqual(server.requests[0]?.body);
    server.assertDone();
  });
});

describe('things that go wrong', () => {
  test('an HTTP error has the status, type, headers and request id of the script', async () => {
    const { client } = await start({
      steps: [
        httpError({
          status: 429,
          type: 'rate_limit_error',
          message: 'Slow down',
          headers: { 'retry-after': '2' },
          requestId: 'req_known',
        }),
      ],
    });
    const error: unknown = await client.messages.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(error).toMatchObject({ status: 429, requestID: 'req_known', type: 'rate_limit_error' });
    expect((error as InstanceType<typeof Anthropic.RateLimitError>).headers.get('retry-after')).toBe('2');
  });

  test('an error event after a text delta reaches the client as an error', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { client } = await start({
      steps: [rawStream({ events: [...answerEvents({ text: 'Half of it' }).slice(0, 4), error] })],
    });
    const seen: string[] = [];
    const run = (async () => {
      for await (const event of await client.messages.create({ ...ask(), stream: true }))
        seen.push(event.type);
    })();
    await expect(run).rejects.toThrow(/Overloaded/);
    expect(seen).toContain('content_block_delta');
  });

  test('a cut stream gives what came before the cut and then fails', async () => {
    const { client } = await start({
      steps: [rawStream({ events: answerEvents({ text: 'Half of it' }).slice(0, 4), end: 'cut' })],
    });
    const seen: string[] = [];
    const run = (async () => {
      for await (const event of await client.messages.create({ ...ask(), stream: true }))
        seen.push(event.type);
    })();
    await expect(run).rejects.toThrow();
    expect(seen).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
  });

  test('a stream that never ends is held until the server closes', async () => {
    const { server, client } = await start({
      steps: [rawStream({ events: answerEvents({ text: 'Hm' }).slice(0, 4), end: 'hang' })],
    });
    const stream = await client.messages.create({ ...ask(), stream: true });
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const event of stream) {
          seen.push(event.type);
          if (event.type === 'content_block_delta') void server.close();
        }
      })(),
    ).rejects.toThrow();
    expect(seen.at(-1)).toBe('content_block_delta');
  });

  test('a stall is silence and then the next step, or a cut connection', async () => {
    const { client } = await start({
      steps: [stall({ ms: 20, next: answer({ text: 'late' }) }), stall({ ms: 1 })],
    });
    expect((await client.messages.create(ask())).content[0]).toMatchObject({ text: 'late' });
    await expect(client.messages.create(ask())).rejects.toThrow(Anthropic.APIConnectionError);
  });

  test('a stall ends early when the client leaves', async () => {
    const { server, client } = await start({
      steps: [stall({ ms: 600_000, next: answer({ text: 'late' }) })],
    });
    const leave = new AbortController();
    const run = client.messages.create(ask(), { signal: leave.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leave.abort();
    await expect(run).rejects.toThrow(Anthropic.APIUserAbortError);
    await server.close();
    expect(server.requests).toHaveLength(1);
  });

  test.each(['answer', 'error'])('an %s for a client that has left is dropped', async (kind) => {
    let left = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { server, client } = await start({
      steps: async (_request, index) => {
        if (index > 0) return answer({ text: 'still here' });
        await gone;
        // The server learns of it a moment after the client.
        await new Promise((resolve) => setTimeout(resolve, 50));
        const error = httpError({ status: 500, type: 'api_error', message: 'late' });
        return kind === 'answer' ? answer({ text: 'late' }) : error;
      },
    });
    const leave = new AbortController();
    const run = client.messages.create({ ...ask(), stream: true }, { signal: leave.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leave.abort();
    await expect(run).rejects.toThrow(Anthropic.APIUserAbortError);
    left();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect((await client.messages.create(ask())).content[0]).toMatchObject({ text: 'still here' });
    server.assertDone();
  });

  test('events with a pause between them arrive all', async () => {
    const { client } = await start({ steps: [answer({ text: 'one two', chunkSize: 2, delayMs: 1 })] });
    expect((await client.messages.stream(ask()).finalMessage()).content[0]).toMatchObject({
      text: 'one two',
    });
  });
});

describe('who is let in', () => {
  const post = (url: string, headers: Record<string, string>, body = JSON.stringify(ask())) =>
    fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
  const version = { 'anthropic-version': '2023-06-01' };

  test.each([
    ['no key', version, 401, 'authentication_error'],
    ['a wrong key', { ...version, 'x-api-key': 'wrong' }, 401, 'authentication_error'],
    ['no version', { 'x-api-key': 'right' }, 400, 'invalid_request_error'],
    ['the key', { ...version, 'x-api-key': 'right' }, 200, undefined],
    ['the key as a token', { ...version, authorization: 'Bearer right' }, 200, undefined],
  ])('%s', async (_name, headers, status, type) => {
    const { server } = await start({ steps: () => answer({ text: 'in' }), apiKey: 'right' });
    const response = await post(server.url, headers as Record<string, string>);
    expect(response.status).toBe(status);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    const body = (await response.json()) as { error?: { type: string } };
    expect(body.error?.type).toBe(type);
  });

  test('another address is not found, the list of models is there', async () => {
    const { server, client } = await start({ steps: [], models: ['m-1', 'm-2'] });
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toEqual(['m-1', 'm-2']);
    const response = await fetch(`${server.url}/v1/other`, { headers: { ...version, 'x-api-key': 'k' } });
    expect(response.status).toBe(404);
  });

  test('a body that is no JSON is refused and recorded as it came', async () => {
    const { server } = await start({ steps: [answer({ text: 'never' })], validate: false });
    const response = await post(server.url, { ...version, 'x-api-key': 'k' }, '{"model":');
    expect(response.status).toBe(400);
    expect(server.requests[0]?.text).toBe('{"model":');
    expect(server.violations).toHaveLength(1);
  });
});

describe('the books', () => {
  test('a surplus request fails, is not tried again, and is named at the end', async () => {
    const { server } = await start({ steps: [answer({ text: 'only one' })] });
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 2 });
    await client.messages.create(ask());
    await expect(client.messages.create(ask())).rejects.toThrow(/script_exhausted/);
    expect(server.requests).toHaveLength(2);
    expect(() => server.assertDone()).toThrow(/request 2 came after the last of 1 scripted steps/);
  });

  test('steps that nobody asked for are named at the end', async () => {
    const { server } = await start({ steps: [answer({ text: 'a' }), answer({ text: 'b' })] });
    expect(() => server.assertDone()).toThrow(
      expect.objectContaining({ code: 'script_mismatch', message: expect.stringContaining('2 of 2 steps') }),
    );
  });

  test('a request against the rules is refused, takes no step, and is named at the end', async () => {
    const { server, client } = await start({ steps: [answer({ text: 'a' })] });
    await expect(client.messages.create(ask([{ type: 'text', text: ' ' }]))).rejects.toThrow(
      /non-whitespace/,
    );
    await client.messages.create(ask());
    expect(server.violations).toEqual([expect.stringMatching(/^request 1: messages\.0\.content\.0\.text/)]);
    expect(() => server.assertDone()).toThrow(/request 1/);
  });

  test('with the check off the same request passes', async () => {
    const { server, client } = await start({ steps: [answer({ text: 'a' })], validate: false });
    await client.messages.create(ask([{ type: 'text', text: ' ' }]));
    server.assertDone();
  });

  test('a script function that throws is named at the end', async () => {
    const { server, client } = await start({
      steps: () => {
        throw new Error('no such case');
      },
    });
    await expect(client.messages.create(ask())).rejects.toThrow(/no such case/);
    expect(() => server.assertDone()).toThrow(/the script failed: no such case/);
  });

  test.each([true, false])(
    'B68 thinking that comes back changed is refused (streamed: %s)',
    async (stream) => {
      const { server, client } = await start({
        steps: () => answer({ thinking: { text: 'as it was', signature: 'sig-9' }, text: 'ok' }),
      });
      const first = stream
        ? await client.messages.stream(ask()).finalMessage()
        : await client.messages.create(ask());
      const again = (content: Anthropic.ContentBlockParam[]) =>
        client.messages.create({
          ...ask(),
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content },
            { role: 'user', content: 'Go on' },
          ],
        });
      await again(first.content as Anthropic.ContentBlockParam[]);
      expect(server.violations).toEqual([]);
      await expect(
        again([{ type: 'thinking', thinking: 'as it was not', signature: 'sig-9' }]),
      ).rejects.toThrow(/cannot be modified/);
      await expect(again([{ type: 'thinking', thinking: 'as it was', signature: 'other' }])).rejects.toThrow(
        /Invalid `signature`/,
      );
    },
  );
});
