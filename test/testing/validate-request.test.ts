import { describe, expect, test } from 'vitest';
import { validateMessagesRequest } from '../../src/testing/index.js';

type Json = Record<string, unknown>;

const user = (...content: Json[]) => ({ role: 'user', content });
const assistant = (...content: Json[]) => ({ role: 'assistant', content });
const text = (value = 'hi', more: Json = {}) => ({ type: 'text', text: value, ...more });
const call = (id: string, more: Json = {}) => ({ type: 'tool_use', id, name: 'Read', input: {}, ...more });
const result = (id: string, more: Json = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
});
const tool = (more: Json = {}) => ({
  name: 'Read',
  description: 'd',
  input_schema: { type: 'object' },
  ...more,
});
const image = (data: string, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const mark = { cache_control: { type: 'ephemeral' } };

const valid: Json = { model: 'm', max_tokens: 10, messages: [user(text())] };
const withMessages = (...messages: Json[]) => ({ ...valid, messages });

describe('a request that the API takes', () => {
  test.each<[string, Json]>([
    ['the least', valid],
    ['a text as content', withMessages({ role: 'user', content: 'hi' })],
    [
      'two calls answered in one message, then text',
      withMessages(
        user(text()),
        assistant(text(), call('a'), call('b')),
        user(result('a'), result('b', { is_error: true }), text('<system-reminder>')),
      ),
    ],
    ['an empty last answer', withMessages(user(text()), assistant())],
    ['a silent tool', withMessages(user(text()), assistant(call('a')), user(result('a', { content: '' })))],
    [
      'four marks',
      {
        ...withMessages(user(text('a', mark), text('b', mark))),
        system: [text('s', mark)],
        tools: [tool(mark)],
      },
    ],
    [
      'thinking before a call',
      withMessages(
        user(text()),
        assistant({ type: 'thinking', thinking: 't', signature: 's' }, call('a')),
        user(result('a')),
      ),
    ],
    [
      'an input that has a key of a mark',
      withMessages(
        user(text()),
        assistant(call('a', { input: { cache_control: 1, content: [{ cache_control: 2 }] } })),
        user(result('a')),
      ),
    ],
    [
      'a tool that the service runs',
      { ...valid, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    [
      'a picture in a result',
      withMessages(
        user(text()),
        assistant(call('a')),
        user(result('a', { content: [text(), image('aGk=')] })),
      ),
    ],
  ])('%s', (_name, body) => {
    expect(validateMessagesRequest(body)).toEqual([]);
  });
});

describe('a request that the API refuses', () => {
  test.each<[string, unknown, RegExp]>([
    ['no object', 'text', /body must be a JSON object/],
    ['no model', { ...valid, model: undefined }, /^model: Field required/],
    ['no max_tokens', { ...valid, max_tokens: undefined }, /^max_tokens: Field required/],
    ['max_tokens of zero', { ...valid, max_tokens: 0 }, /^max_tokens: must be/],
    ['no messages', { ...valid, messages: [] }, /at least one message/],
    ['the assistant first', withMessages(assistant(text()), user(text())), /first message must use/],
    ['an unknown role', withMessages({ role: 'system', content: 'x' }, user(text())), /messages\.0\.role/],
    [
      'B60 a call without a result',
      withMessages(user(text()), assistant(call('a')), user(text())),
      /messages\.1: `tool_use` ids were found without.*: a$/,
    ],
    ['B60 a call at the very end', withMessages(user(text()), assistant(call('a'))), /without `tool_result`/],
    [
      'B60 one of two results',
      withMessages(user(text()), assistant(call('a'), call('b')), user(result('a'))),
      /: b$/,
    ],
    [
      'a result two messages later',
      withMessages(user(text()), assistant(call('a')), user(text()), user(result('a'))),
      /messages\.3: unexpected `tool_use_id`/,
    ],
    ['a result for nobody', withMessages(user(result('x'))), /messages\.0: unexpected/],
    [
      'two results for one call',
      withMessages(user(text()), assistant(call('a')), user(result('a'), result('a'))),
      /single result, a has 2/,
    ],
    [
      'text before a result',
      withMessages(user(text()), assistant(call('a')), user(text(), result('a'))),
      /must come before any other/,
    ],
    [
      'B62 the same id in one message',
      withMessages(user(text()), assistant(call('a'), call('a')), user(result('a'))),
      /ids must be unique, a/,
    ],
    [
      'B62 the same id in two messages',
      withMessages(
        user(text()),
        assistant(call('a')),
        user(result('a')),
        assistant(call('a')),
        user(result('a')),
      ),
      /messages\.3: .*unique/,
    ],
    ['B66 an empty text block', withMessages(user(text(''))), /messages\.0\.content\.0\.text: .*non-empty/],
    ['B66 a text block of spaces', withMessages(user(text(' \n'))), /non-whitespace/],
    [
      'B66 an empty text in a result',
      withMessages(user(text()), assistant(call('a')), user(result('a', { content: [text('')] }))),
      /content\.0\.content\.0\.text/,
    ],
    ['B66 a content of spaces', withMessages({ role: 'user', content: '  ' }), /messages\.0\.content/],
    ['B66 an empty content', withMessages(user()), /non-empty content/],
    [
      'B66 an empty answer in the middle',
      withMessages(user(text()), assistant(), user(text())),
      /messages\.1: all messages/,
    ],
    ['no content', withMessages({ role: 'user' }), /messages\.0\.content: Field required/],
    [
      'an error without text',
      withMessages(user(text()), assistant(call('a')), user(result('a', { content: '', is_error: true }))),
      /cannot be empty if/,
    ],
    [
      'five marks',
      withMessages(user(...['a', 'b', 'c', 'd', 'e'].map((value) => text(value, mark)))),
      /maximum of 4 .* Found 5/,
    ],
    [
      'five marks, one inside a result',
      {
        ...withMessages(
          user(text('a', mark)),
          assistant(call('a', mark)),
          user(result('a', { content: [text('x', mark)], ...mark })),
        ),
        system: [text('s', mark)],
      },
      /Found 5/,
    ],
    [
      'a mark on thinking',
      withMessages(
        user(text()),
        assistant({ type: 'thinking', thinking: 't', signature: 's', ...mark }, text()),
      ),
      /not allowed on thinking/,
    ],
    ['a mark on an empty text', withMessages(user(text('', mark))), /cannot be set for empty/],
    [
      'a mark of another kind',
      withMessages(user(text('a', { cache_control: { type: 'forever' } }))),
      /must be "ephemeral"/,
    ],
    [
      'B87 a union at the root',
      { ...valid, tools: [tool({ input_schema: { type: 'object', anyOf: [] } })] },
      /tools\.0\.input_schema: anyOf/,
    ],
    [
      'B89 a schema without a type',
      { ...valid, tools: [tool({ input_schema: {} })] },
      /tools\.0\.input_schema\.type/,
    ],
    ['no schema', { ...valid, tools: [tool({ input_schema: undefined })] }, /input_schema: Field required/],
    ['a tool name with a dot', { ...valid, tools: [tool({ name: 'a.b' })] }, /tools\.0\.name/],
    [
      'a tool name of 129 characters',
      { ...valid, tools: [tool({ name: 'a'.repeat(129) })] },
      /tools\.0\.name/,
    ],
    ['two tools of one name', { ...valid, tools: [tool(), tool()] }, /names must be unique, Read/],
    ['an empty system text', { ...valid, system: '' }, /^system/],
    ['an empty system block', { ...valid, system: [text('s'), text('')] }, /^system\.1/],
    [
      'a call whose input is a text',
      withMessages(user(text()), assistant(call('a', { input: '{}' })), user(result('a'))),
      /input: Input should be/,
    ],
    [
      'a call with a strange id',
      withMessages(user(text()), assistant(call('a b')), user(result('a b'))),
      /id: must match/,
    ],
    ['a call from the user', withMessages(user(call('a'))), /not allowed in user/],
    [
      'thinking without a signature',
      withMessages(user(text()), assistant({ type: 'thinking', thinking: 't' }, text())),
      /signature: Field required/,
    ],
    ['an unknown block', withMessages(user({ type: 'video' })), /'video' is not a known/],
    ['a picture over 5 MB', withMessages(user(image('A'.repeat(5 * 1024 * 1024 + 4)))), /exceeds 5 MB/],
    ['a picture of another kind', withMessages(user(image('aGk=', 'image/heic'))), /media_type/],
    ['a picture without data', withMessages(user(image(''))), /must not be empty/],
  ])('%s', (_name, body, problem) => {
    expect(validateMessagesRequest(body).join('\n')).toMatch(new RegExp(problem.source, 'm'));
  });

  test('several faults are all named', () => {
    expect(validateMessagesRequest({ messages: [user(text(''))] })).toHaveLength(3);
  });
});

describe('signed thinking', () => {
  const issuedThinking = new Map([['s1', 'the very text']]);
  const body = (thinking: string, signature: string) =>
    withMessages(user(text()), assistant({ type: 'thinking', thinking, signature }, text()), user(text()));

  test.each<[string, Json, RegExp | undefined]>([
    ['as it was given out', body('the very text', 's1'), undefined],
    ['with another text', body('a text', 's1'), /cannot be modified/],
    ['with another signature', body('the very text', 's2'), /Invalid `signature`/],
  ])('%s', (_name, request, problem) => {
    const found = validateMessagesRequest(request, { issuedThinking });
    if (problem) expect(found).toEqual([expect.stringMatching(problem)]);
    else expect(found).toEqual([]);
  });
});
