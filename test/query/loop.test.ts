import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { WaymarkError } from '../../src/errors.js';
import { createSdkMcpServer, tool } from '../../src/mcp/sdk-server.js';
import type { Options } from '../../src/protocol/options.js';
import { query } from '../../src/query.js';
import { answer, httpError, prefixDifference, rawStream, stall } from '../../src/testing/index.js';
import { callEvents, halfText, messageStart } from '../support/raw-answer.js';
import { lastMessage, runQuery, toolResults } from '../support/run-query.js';

const echo = tool('echo', 'Says it back.', { text: z.string() }, ({ text }) => ({
  content: [{ type: 'text', text: `echo ${text}` }],
}));
const hang = tool('hang', 'Waits for the interrupt.', {}, (_input, { signal }) => {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
});
const deaf = tool('deaf', 'Hears nothing.', {}, () => new Promise(() => {}));
const options: Options = {
  mcpServers: { t: createSdkMcpServer({ name: 't', tools: [echo, hang, deaf] }) },
  allowedTools: ['mcp__t'],
  tools: [],
};
const say = (text: string, id?: string) => ({
  name: 'mcp__t__echo',
  input: { text },
  ...(id ? { id } : {}),
});

test('one init first, an assistant message for each answer, a user message for each result, one result last', async () => {
  const run = await runQuery({
    options,
    steps: [answer({ text: 'Two.', toolUses: [say('a'), say('b')] }), answer({ text: 'Done.' })],
  });
  expect(run.messages.map((message) => message.type)).toEqual([
    'system',
    'assistant',
    'user',
    'user',
    'assistant',
    'result',
  ]);
  expect(toolResults(run).map((block) => block.content)).toEqual(['echo a', 'echo b']);
  expect(run.result).toMatchObject({
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    num_turns: 2,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: null,
    permission_denials: [],
  });
  expect(run.result?.usage.output_tokens).toBeGreaterThan(0);
  expect(Object.keys(run.result?.modelUsage ?? {})).toEqual(['claude-sonnet-5-5']);
  const ids = run.messages.map((message) => message.uuid);
  expect(new Set(ids).size).toBe(ids.length);
  run.server.assertDone();
});

test('B49 system and tools stay byte-identical and each request is a prefix of the next, reminders included', async () => {
  const todo = (status: string) => ({ todos: [{ content: 'Step', status, activeForm: 'Stepping' }] });
  const write = (status: string) => answer({ toolUses: [{ name: 'TodoWrite', input: todo(status) }] });
  const round = answer({ toolUses: [say('x')] });
  const run = await runQuery({
    options: { ...options, tools: ['TodoWrite'] },
    steps: [
      round,
      write('pending'),
      round,
      round,
      round,
      round,
      write('in_progress'),
      round,
      answer({ text: 'ok' }),
    ],
  });
  const bodies = run.server.requests.map((request) => request.body);
  expect(bodies).toHaveLength(9);
  for (let index = 1; index < bodies.length; index++) {
    expect(prefixDifference(bodies[index - 1] ?? {}, bodies[index] ?? {})).toBeUndefined();
  }
  expect(JSON.stringify(bodies.at(-1)).match(/<system-reminder>/g)).toHaveLength(1);
});

describe('stop reasons, each by name', () => {
  test('B70 a refusal is one error result with its category, is not tried again, and leaves no empty message', async () => {
    const run = await runQuery({
      options,
      steps: [
        answer({ content: [], stopReason: 'refusal', stopDetails: { type: 'refusal', category: 'cyber' } }),
      ],
    });
    expect(run.result).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      stop_reason: 'refusal',
      refusal: { category: 'cyber' },
    });
    expect(run.messages.filter((message) => message.type === 'assistant')).toHaveLength(0);
    expect(run.server.requests).toHaveLength(1);
    expect(run.thrown).toMatchObject({ code: 'run_failed' });
  });

  test('B70 the prompt after a refusal is a valid request', async () => {
    const run = await runQuery({
      options,
      prompt: prompts('first', 'second'),
      steps: [answer({ content: [], stopReason: 'refusal' }), answer({ text: 'Fine.' })],
    });
    expect(results(run)).toEqual([true, false]);
    run.server.assertDone();
  });

  test('calls of an answer that was cut are answered with an error and not run', async () => {
    const run = await runQuery({
      options,
      steps: [answer({ toolUses: [say('half')], stopReason: 'max_tokens' }), answer({ text: 'Smaller.' })],
    });
    expect(toolResults(run)).toMatchObject([{ is_error: true, content: expect.stringContaining('cut') }]);
    expect(run.result).toMatchObject({ subtype: 'success', result: 'Smaller.' });
  });

  test('what was said beside calls that were cut is no part of the result', async () => {
    const run = await runQuery({
      options,
      steps: [
        answer({ text: 'I call.', toolUses: [say('half')], stopReason: 'max_tokens' }),
        answer({ text: 'Done.' }),
      ],
    });
    expect(run.result).toMatchObject({ subtype: 'success', result: 'Done.' });
  });

  test('a text that was cut is gone on with, and the result is the whole of it', async () => {
    const run = await runQuery({
      options,
      steps: [
        answer({ text: 'One, ', stopReason: 'max_tokens' }),
        answer({ text: 'two, ', stopReason: 'max_tokens' }),
        answer({ text: 'three.' }),
      ],
    });
    expect(run.result).toMatchObject({ subtype: 'success', result: 'One, two, three.' });
  });

  test('an answer that is cut again and again ends with an error, after three goes', async () => {
    const run = await runQuery({
      options,
      steps: Array.from({ length: 4 }, () => answer({ text: 'and ', stopReason: 'max_tokens' })),
    });
    expect(run.result).toMatchObject({ is_error: true, stop_reason: 'max_tokens', num_turns: 4 });
    run.server.assertDone();
  });

  test('a full context window ends with prompt_too_long, and calls are answered', async () => {
    const run = await runQuery({
      options,
      steps: [answer({ toolUses: [say('x')], stopReason: 'model_context_window_exceeded' })],
    });
    expect(run.result).toMatchObject({ is_error: true, terminal_reason: 'prompt_too_long' });
    expect(toolResults(run)).toMatchObject([{ is_error: true }]);
  });

  test('pause_turn is asked again with the same history', async () => {
    const run = await runQuery({
      options,
      steps: [answer({ text: 'Searching.', stopReason: 'pause_turn' }), answer({ text: 'Found.' })],
    });
    expect(run.result).toMatchObject({ subtype: 'success', result: 'Found.', num_turns: 2 });
    expect(run.server.requests[1]?.body.messages.at(-1)?.role).toBe('assistant');
  });

  test('a stop sequence, and an answer without content, are ends', async () => {
    const sequence = await runQuery({ options, steps: [answer({ text: 'x', stopReason: 'stop_sequence' })] });
    expect(sequence.result).toMatchObject({ subtype: 'success', result: 'x' });
    const empty = await runQuery({ options, steps: [answer({ content: [] })] });
    expect(empty.result).toMatchObject({ subtype: 'success', result: '' });
    expect(empty.messages.map((message) => message.type)).toEqual(['system', 'result']);
  });

  test('calls of an answer that says end_turn are run all the same', async () => {
    const run = await runQuery({
      options,
      steps: [answer({ toolUses: [say('x')], stopReason: 'end_turn' }), answer({ text: 'ok' })],
    });
    expect(toolResults(run)).toMatchObject([{ content: 'echo x' }]);
  });
});

describe('B60 every call is answered once in the next message', () => {
  test('when maxTurns is reached just after calls: they run, and the result says so', async () => {
    const run = await runQuery({
      options: { ...options, maxTurns: 1 },
      steps: [answer({ toolUses: [say('x')] })],
    });
    expect(toolResults(run)).toMatchObject([{ content: 'echo x' }]);
    expect(run.result).toMatchObject({
      subtype: 'error_max_turns',
      num_turns: 1,
      terminal_reason: 'max_turns',
      errors: [expect.stringContaining('1 turns')],
    });
    expect(run.thrown).toBeInstanceOf(WaymarkError);
  });

  test('when the run is interrupted while the second of three runs, and the next prompt is valid', async () => {
    const run = await runQuery({
      options,
      prompt: prompts('first', 'second'),
      steps: [
        answer({
          toolUses: [say('done', 'a'), { name: 'mcp__t__hang', input: {}, id: 'b' }, say('never', 'c')],
        }),
        answer({ text: 'Second.' }),
      ],
      onMessage: (message, running) => (message.type === 'user' ? running.interrupt() : undefined),
    });
    expect(results(run)).toEqual([true, false]);
    expect(run.messages.filter((message) => message.type === 'result')[0]).toMatchObject({
      terminal_reason: 'aborted_tools',
    });
    const closing = run.server.requests[1]?.body.messages.at(-2);
    expect(closing?.content).toMatchObject([
      { tool_use_id: 'a', content: 'echo done' },
      { tool_use_id: 'b', is_error: true, content: expect.stringContaining('Interrupted') },
      { tool_use_id: 'c', is_error: true, content: expect.stringContaining('Interrupted') },
    ]);
    run.server.assertDone();
  });

  test('when a tool hears nothing of the interrupt, within the grace', async () => {
    const run = await runQuery({
      options,
      prompt: prompts('first', 'second'),
      steps: [answer({ toolUses: [{ name: 'mcp__t__deaf', input: {} }] }), answer({ text: 'Second.' })],
      onMessage: (message, running) => {
        if (message.type === 'assistant') setTimeout(() => void running.interrupt(), 30);
      },
    });
    expect(results(run)).toEqual([true, false]);
    expect(toolResults(run)).toMatchObject([
      { is_error: true, content: expect.stringContaining('Interrupted') },
    ]);
    run.server.assertDone();
  }, 10_000);

  test('when the name is unknown, and the others run', async () => {
    const run = await runQuery({
      options,
      steps: [answer({ toolUses: [{ name: 'Magic', input: {} }, say('x')] }), answer({ text: 'ok' })],
    });
    expect(toolResults(run)).toMatchObject([
      { is_error: true, content: expect.stringContaining('Available: mcp__t__echo') },
      { content: 'echo x' },
    ]);
  });

  test('when the stream is interrupted in the middle of a call: nothing of it is kept', async () => {
    const run = await runQuery({
      options: { ...options, includePartialMessages: true },
      prompt: prompts('first', 'second'),
      steps: [
        rawStream({
          end: 'hang',
          events: [
            messageStart,
            {
              type: 'content_block_start',
              index: 0,
              content_block: { type: 'tool_use', id: 'a', name: 'x', input: {} },
            },
          ],
        }),
        answer({ text: 'Second.' }),
      ],
      onMessage: (message, running) =>
        message.type === 'stream_event' &&
        message.event.type === 'content_block_start' &&
        message.event.content_block.type === 'tool_use'
          ? running.interrupt()
          : undefined,
    });
    expect(results(run)).toEqual([true, false]);
    expect(run.messages.find((message) => message.type === 'result')).toMatchObject({
      terminal_reason: 'aborted_streaming',
    });
    run.server.assertDone();
  });
});

test('B65 broken JSON in a call is answered with the parse message, and the model is asked again', async () => {
  const broken = rawStream({ events: callEvents('mcp__t__echo', ['{"text": tru, }']) });
  const run = await runQuery({
    options,
    steps: [broken, answer({ toolUses: [say('x')] }), answer({ text: 'ok' })],
  });
  expect(toolResults(run)).toMatchObject([
    { is_error: true, tool_use_id: 'a', content: expect.stringContaining('not valid JSON') },
    { content: 'echo x' },
  ]);
  run.server.assertDone();
});

describe('B71 failures of the model call', () => {
  const overloaded = httpError({
    status: 529,
    type: 'overloaded_error',
    message: 'busy',
    headers: { 'retry-after-ms': '5' },
  });

  test('a retry is told, and no text is doubled nor a tool run twice', async () => {
    const cut = rawStream({ end: 'cut', events: halfText('Hel') });
    const run = await runQuery({
      options,
      steps: [overloaded, answer({ toolUses: [say('once')] }), cut, answer({ text: 'Hello.' })],
    });
    const retries = run.messages.filter(
      (message) => message.type === 'system' && message.subtype === 'api_retry',
    );
    expect(retries).toMatchObject([
      { attempt: 1, error_status: 529 },
      { attempt: 1, error_status: null },
    ]);
    expect(toolResults(run)).toHaveLength(1);
    expect(run.result).toMatchObject({ subtype: 'success', result: 'Hello.' });
  });

  test.each([
    [401, 'authentication_error', 'bad key', 'api_error'],
    [404, 'not_found_error', 'model: nope', 'api_error'],
    [400, 'invalid_request_error', 'prompt is too long: 250000 tokens', 'prompt_too_long'],
    [413, 'request_too_large', 'too large', 'prompt_too_long'],
  ])(
    'B84 HTTP %i is one error result with status, request id and cause, and then a throw',
    async (status, type, message, reason) => {
      const run = await runQuery({
        options,
        steps: [httpError({ status, type, message, requestId: 'req_7' })],
      });
      expect(run.messages.filter((item) => item.type === 'result')).toHaveLength(1);
      expect(run.result).toMatchObject({
        subtype: 'error_during_execution',
        is_error: true,
        api_error_status: status,
        request_id: 'req_7',
        terminal_reason: reason,
        errors: [expect.stringContaining(message)],
      });
      expect(run.thrown).toMatchObject({ code: 'api_error', details: { status, requestId: 'req_7' } });
      run.server.assertDone();
    },
  );

  test('an abort during the wait for a retry ends the run at once', async () => {
    const abortController = new AbortController();
    const late = httpError({
      status: 529,
      type: 'overloaded_error',
      message: 'busy',
      headers: { 'retry-after': '60' },
    });
    const run = await runQuery({
      options: { ...options, abortController },
      steps: [late],
      onMessage: (message) => {
        if (message.type === 'system' && message.subtype === 'api_retry') abortController.abort();
      },
    });
    expect(run.result).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
    expect(run.thrown).toMatchObject({ code: 'aborted' });
  });
});

describe('ending a run', () => {
  test('interrupt() gives an error result and throws nothing', async () => {
    const run = await runQuery({
      options,
      steps: [stall({ ms: 20_000 })],
      onMessage: (message, running) => {
        if (message.type === 'system') setTimeout(() => void running.interrupt(), 50);
      },
    });
    expect(run.result).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming', num_turns: 0 });
    expect(run.thrown).toBeUndefined();
  });

  test('a controller that is aborted already asks the model nothing', async () => {
    const abortController = new AbortController();
    abortController.abort();
    const run = await runQuery({ options: { ...options, abortController }, steps: [] });
    expect(run.messages.map((message) => message.type)).toEqual(['system', 'result']);
    expect(run.server.requests).toHaveLength(0);
    expect(run.thrown).toMatchObject({ code: 'aborted' });
  });

  test('leaving the loop in the middle of a call ends the call', async () => {
    let isEnded = false;
    const quick = tool('quick', 'q', {}, () => ({ content: [] }), { annotations: { readOnlyHint: true } });
    const watched = tool(
      'watched',
      'w',
      {},
      (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            isEnded = true;
            resolve({ content: [] });
          });
        }),
      { annotations: { readOnlyHint: true } },
    );
    await runQuery({
      options: {
        mcpServers: { t: createSdkMcpServer({ name: 't', tools: [quick, watched] }) },
        allowedTools: ['mcp__t'],
        tools: [],
      },
      steps: [
        answer({
          toolUses: [
            { name: 'mcp__t__quick', input: {} },
            { name: 'mcp__t__watched', input: {} },
          ],
        }),
      ],
      onMessage: (message, running) => (message.type === 'user' ? running.return(undefined) : undefined),
    });
    expect(isEnded).toBe(true);
  });
});

test('a query that is never asked for a message, or fails before the first, leaves no listener behind', async () => {
  const abortController = new AbortController();
  let listeners = 0;
  const { signal } = abortController;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  query({ prompt: 'x', options: { abortController, env: {} } });
  await expect(query({ prompt: 'x', options: { abortController, env: {} } }).next()).rejects.toMatchObject({
    code: 'no_credentials',
  });
  expect(listeners).toBe(0);
  await runQuery({ options: { ...options, abortController }, steps: [answer({ text: 'ok' })] });
  expect(listeners).toBe(0);
});

test('B66 a blank prompt is refused before anything is sent', async () => {
  const run = await runQuery({ options, prompt: ' \n', steps: [] });
  expect(run.thrown).toMatchObject({ code: 'invalid_input' });
  expect(run.server.requests).toHaveLength(0);
});

test('without a key the run ends with no_credentials before anything is sent', async () => {
  const run = await runQuery({ options: { ...options, env: {} }, steps: [] });
  expect(run.thrown).toMatchObject({ code: 'no_credentials' });
});

test('prompts that stream in get a result each, in one conversation', async () => {
  const run = await runQuery({
    options,
    prompt: prompts('one', 'two'),
    steps: [answer({ text: 'First.' }), answer({ text: 'Second.' })],
  });
  expect(results(run)).toEqual([false, false]);
  expect(run.server.requests[1]?.body.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
  expect(lastMessage(run)).toContain('two');
});

async function* prompts(...texts: string[]) {
  for (const content of texts) {
    yield { type: 'user' as const, message: { role: 'user' as const, content }, parent_tool_use_id: null };
  }
}

function results(run: { messages: Array<{ type: string; is_error?: boolean }> }): Array<boolean | undefined> {
  return run.messages.filter((message) => message.type === 'result').map((message) => message.is_error);
}
