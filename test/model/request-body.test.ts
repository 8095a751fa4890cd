import { describe, expect, test } from 'vitest';
import { RequestBody } from '../../src/model/request-body.js';
import type { MessageParam } from '../../src/protocol/api.js';
import { prefixDifference, validateMessagesRequest } from '../../src/testing/index.js';

const setup = {
  model: 'm',
  maxOutputTokens: 10,
  system: [
    { type: 'text' as const, text: 'One.' },
    { type: 'text' as const, text: 'Two "quoted" é.' },
  ],
  tools: [{ name: 'T', description: 'd', input_schema: { type: 'object' } }],
};
const user = (text: string): MessageParam => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (id: string): MessageParam => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'T', input: { a: '}],"' } }],
});
const result = (id: string): MessageParam => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: `ok ${id} – é` }],
});

/** The body without its cache marks, and where the marks stood. */
function parse(bytes: Buffer): { body: unknown; marks: number } {
  const text = bytes.toString();
  const marks = text.match(/,"cache_control":\{"type":"ephemeral"\}/g)?.length ?? 0;
  return { body: JSON.parse(text.replaceAll(',"cache_control":{"type":"ephemeral"}', '')), marks };
}

test('the bytes are the JSON of the request, over many rounds, with three marks and each a prefix of the next', () => {
  const made = new RequestBody(setup);
  const messages: MessageParam[] = [user('Go. '.repeat(30_000))];
  let previous: unknown;
  for (let round = 0; round < 60; round++) {
    const bytes = made.bytes(messages);
    const { body, marks } = parse(bytes);
    expect(body).toEqual({
      model: 'm',
      max_tokens: 10,
      stream: true,
      tools: setup.tools,
      system: setup.system,
      messages,
    });
    expect(marks).toBe(round === 0 ? 2 : 3);
    expect(validateMessagesRequest(JSON.parse(bytes.toString()))).toEqual([]);
    if (previous) expect(prefixDifference(previous, body)).toBeUndefined();
    previous = body;
    messages.push(assistant(`a${round}`), result(`a${round}`));
  }
});

describe('B66 a mark stands only where the API takes one', () => {
  test.each<[string, MessageParam['content'], number]>([
    ['a text', 'hi', 2],
    ['a list', [{ type: 'text', text: 'hi' }], 2],
    ['thinking at the end', [{ type: 'thinking', thinking: 'x', signature: 's' }], 1],
  ])('%s', (_name, content, marks) => {
    expect(parse(new RequestBody(setup).bytes([{ role: 'user', content }])).marks).toBe(marks);
  });

  test('without system prompt and tools there are no such keys', () => {
    const { body, marks } = parse(new RequestBody({ ...setup, system: [], tools: [] }).bytes([user('hi')]));
    expect(Object.keys(body as object)).toEqual(['model', 'max_tokens', 'stream', 'messages']);
    expect(marks).toBe(1);
  });
});

test('the same history asked again (a paused turn) gives the same request', () => {
  const made = new RequestBody(setup);
  const messages = [user('a'), assistant('x'), result('x')];
  made.bytes(messages.slice(0, 1));
  const first = parse(made.bytes(messages)).body;
  expect(parse(made.bytes(messages)).body).toEqual(first);
});
