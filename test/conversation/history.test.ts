import { describe, expect, test } from 'vitest';
import { History, INTERRUPTED } from '../../src/conversation/history.js';
import type { ContentBlock } from '../../src/protocol/api.js';
import { validateMessagesRequest } from '../../src/testing/index.js';

const text = (value: string): ContentBlock => ({ type: 'text', text: value, citations: null });
const call = (id: string): ContentBlock => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input: {},
  caller: { type: 'direct' },
});
const thinking = (value: string, signature = `sig-${value}`): ContentBlock => ({
  type: 'thinking',
  thinking: value,
  signature,
});
const done = (id: string, content = 'ok') => ({ type: 'tool_result' as const, tool_use_id: id, content });

function started(): History {
  const history = new History();
  history.addUser('Go.');
  return history;
}

function problems(history: History): string[] {
  return validateMessagesRequest({ model: 'm', max_tokens: 1, messages: history.messages });
}

test('B60 calls without a result are answered as interrupted, done ones keep theirs, in call order, in the next message', () => {
  const history = started();
  history.addAnswer([text('Three.'), call('a'), call('b'), call('c')]);
  history.addResult(done('c', 'third'));
  const missing = history.closeCalls();
  expect(missing.map((result) => result.tool_use_id)).toEqual(['a', 'b']);
  expect(history.messages.at(-1)?.content).toMatchObject([
    { tool_use_id: 'a', content: INTERRUPTED, is_error: true },
    { tool_use_id: 'b', content: INTERRUPTED, is_error: true },
    { tool_use_id: 'c', content: 'third' },
  ]);
  expect(problems(history)).toEqual([]);
});

test('B60 a new prompt closes calls that are still open', () => {
  const history = started();
  history.addAnswer([call('a')]);
  history.addUser('And now?');
  expect(history.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'user']);
  expect(problems(history)).toEqual([]);
});

test('a result for a call that nobody made, or a second one, is a mistake and not sent', () => {
  const history = started();
  history.addAnswer([call('a')]);
  history.addResult(done('a'));
  expect(() => history.addResult(done('a'))).toThrow(/a/);
  expect(() => history.addResult(done('x'))).toThrow(/x/);
  history.closeCalls();
  expect(history.messages.at(-1)?.content).toHaveLength(1);
});

describe('B62 an id that was used before gets another one', () => {
  test('in one answer', () => {
    const history = started();
    const { calls } = history.addAnswer([call('a'), call('a'), call('a')]);
    expect(calls.map(({ block, givenId }) => [block.id, givenId])).toEqual([
      ['a', 'a'],
      ['a_2', 'a'],
      ['a_3', 'a'],
    ]);
    history.closeCalls();
    expect(problems(history)).toEqual([]);
  });

  test('in a later answer', () => {
    const history = started();
    history.addAnswer([call('call_0')]);
    history.closeCalls();
    expect(history.addAnswer([call('call_0')]).calls[0]?.block.id).toBe('call_0_2');
    history.closeCalls();
    expect(problems(history)).toEqual([]);
  });
});

describe('B66 nothing empty is kept', () => {
  test.each([
    ['no content at all', []],
    ['a blank text', [text(' \n')]],
    ['thinking only', [thinking('hm')]],
  ])('an answer with %s adds no message', (_name, content) => {
    const history = started();
    expect(history.addAnswer(content).content).toEqual([]);
    expect(history.messages).toHaveLength(1);
  });

  test('blank texts between others go, the rest stays', () => {
    const history = started();
    expect(history.addAnswer([text(''), call('a'), text('  ')]).content).toEqual([call('a')]);
  });

  test('a prompt of blanks and a blank tail add nothing', () => {
    const history = started();
    history.addUser([{ type: 'text', text: ' ' }]);
    history.addAnswer([call('a')]);
    history.closeCalls(['', ' ', 'news']);
    expect(history.messages).toHaveLength(3);
    expect(history.messages.at(-1)?.content).toHaveLength(2);
  });
});

describe('B68 signed thinking comes back as it came', () => {
  test('between texts and calls, in the same place, the same object', () => {
    const history = started();
    const blocks = [thinking('one'), text('Reading.'), call('a'), thinking('two'), call('b')];
    history.addAnswer(blocks);
    const stored = history.messages.at(-1)?.content;
    expect(stored).toEqual(blocks);
    expect(Array.isArray(stored) && stored[0] === blocks[0]).toBe(true);
  });

  test('thinking that was cut before its signature goes, and so does thinking at the end', () => {
    const history = started();
    const { content } = history.addAnswer([thinking('half', ''), text('So:'), thinking('more')]);
    expect(content).toEqual([text('So:')]);
    expect(problems(history)).toEqual([]);
  });
});

test('B49 what was added is never changed: texts go behind the results of their own round', () => {
  const history = started();
  history.addAnswer([call('a')]);
  history.addResult(done('a'));
  history.closeCalls(['reminder one']);
  const before = JSON.stringify(history.messages);
  history.addAnswer([call('b')]);
  history.addResult(done('b'));
  history.closeCalls(['reminder two']);
  expect(JSON.stringify(history.messages.slice(0, 3))).toBe(before);
  expect(history.messages.at(-1)?.content).toMatchObject([
    { type: 'tool_result' },
    { type: 'text', text: 'reminder two' },
  ]);
});

test('closing twice, or with nothing open, adds nothing', () => {
  const history = started();
  history.closeCalls(['lost?']);
  history.addAnswer([call('a')]);
  history.closeCalls();
  history.closeCalls();
  expect(history.messages).toHaveLength(3);
});
