import { describe, expect, test } from 'vitest';
import { prefixDifference } from '../../src/testing/index.js';

const mark = { cache_control: { type: 'ephemeral' } };
const body = (messages: unknown[], more: object = {}) => ({
  model: 'm',
  system: [{ type: 'text', text: 'You are', ...mark }],
  tools: [{ name: 'Read', input_schema: { type: 'object' } }],
  messages,
  ...more,
});
const first = { role: 'user', content: 'Hello' };
const second = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] };
const third = { role: 'user', content: [{ type: 'text', text: 'Go on' }] };

describe('B49 the prompt cache stays whole', () => {
  test('when messages are added at the end', () => {
    expect(prefixDifference(body([first]), body([first, second, third]))).toBeUndefined();
  });

  test('when only cache marks move', () => {
    const marked = { role: 'user', content: [{ type: 'text', text: 'Hello', ...mark }] };
    expect(prefixDifference(body([marked]), body([first, second]))).toBeUndefined();
    expect(
      prefixDifference(
        body([first]),
        body([marked, second], { system: [{ type: 'text', text: 'You are' }] }),
      ),
    ).toBeUndefined();
  });
});

describe('B49 the prompt cache is lost', () => {
  test.each<[string, object, RegExp]>([
    ['by another system prompt', body([first, second], { system: 'You were' }), /^system/],
    [
      'by another tool',
      body([first, second], { tools: [{ name: 'Write', input_schema: { type: 'object' } }] }),
      /^tools\.0\.name: "Read" became "Write"/,
    ],
    [
      'by one tool more',
      body([first, second], { tools: [...body([]).tools, { name: 'X' }] }),
      /^tools\.1: nothing became/,
    ],
    [
      'by the order of keys',
      body([first, second], { tools: [{ input_schema: { type: 'object' }, name: 'Read' }] }),
      /^tools\.0: the same keys in another order/,
    ],
    ['by another model', body([first, second], { model: 'n' }), /^model/],
    [
      'by a change of an earlier message',
      body([{ role: 'user', content: 'Hello!' }, second]),
      /^messages\.0\.content\.0\.text: "Hello" became "Hello!"/,
    ],
    [
      'by a text put into an earlier message',
      body([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text: 'todo' },
          ],
        },
        second,
      ]),
      /^messages\.0\.content\.1: nothing became/,
    ],
    [
      'by a key that a call was made with',
      body([{ role: 'user', content: [{ type: 'x', input: mark }] }, second]),
      /^messages\.0/,
    ],
    ['when nothing was added', body([first]), /^messages: 1 after 1/],
    ['when messages went away', body([]), /^messages: 0 after 1/],
  ])('%s', (_name, next, problem) => {
    expect(prefixDifference(body([first]), next)).toMatch(problem);
  });

  test('a mark inside the input of a call is data', () => {
    const call = (input: object) => ({ role: 'assistant', content: [{ type: 'tool_use', id: 'a', input }] });
    expect(prefixDifference(body([call(mark)]), body([call({}), third]))).toMatch(/input\.cache_control/);
  });
});
