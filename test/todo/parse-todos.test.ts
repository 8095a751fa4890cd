import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LiteralSyntaxError, parseLiteral } from '../../src/todo/literal-parser.js';
import { explainTodosText, parseTodosText, repairTodosInput } from '../../src/todo/parse-todos.js';

/** A value as Python's repr() would write it. */
function python(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') {
    const escaped = value
      .replace(/[\\']/g, '\\$&')
      .replace(/[\n\r\t]/g, (sign) => JSON.stringify(sign).slice(1, -1));
    return `'${escaped}'`;
  }
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, entry]) => `${python(key)}: ${python(entry)}`)
      .join(', ')}}`;
  return Object.is(value, -0) ? '0' : String(value);
}

const item = fc.record({
  content: fc.string({ minLength: 1 }),
  status: fc.constantFrom('pending', 'in_progress', 'completed'),
  extra: fc.oneof(fc.boolean(), fc.constant(null), fc.integer(), fc.array(fc.string(), { maxLength: 3 })),
});

describe('what is read', () => {
  test.each<[string, unknown]>([
    ['[\'a\', "b"]', ['a', 'b']],
    ['[True, False, None, true, false, null]', [true, false, null, true, false, null]],
    ['[1, -2.5, 3e2,]', [1, -2.5, 300]],
    ["('a', 'b')", ['a', 'b']],
    ["('a',)", ['a']],
    ["['a', ('b'),]", ['a', 'b']],
    ['()', []],
    [' [ ] \n', []],
    ["[{'k': 'v',},]", [{ k: 'v' }]],
    [String.raw`['it\'s', "say \"x\"", 'a\\b', 'a\tb\n']`, ["it's", 'say "x"', 'a\\b', 'a\tb\n']],
    [String.raw`['\x41\u00e9\U0001F600', "\ud83d\ude00", '\d']`, ['Aé😀', '😀', '\\d']],
    ["['two\nlines']", ['two\nlines']],
  ])('%j is one literal', (text, value) => {
    expect(parseLiteral(text)).toEqual(value);
  });

  test('a key called __proto__ is an ordinary key and changes no prototype', () => {
    const [parsed] = parseLiteral("[{'__proto__': {'status': 'completed'}}]") as [object];
    expect(Object.keys(parsed)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  test('every list comes back whole, written as JSON or as Python', () => {
    fc.assert(
      fc.property(fc.array(item), (list) => {
        for (const text of [
          JSON.stringify(list),
          python(list),
          `(${list.map((entry) => `${python(entry)},`).join('')})`,
        ])
          expect(parseTodosText(text)).toEqual({ ok: true, todos: list });
      }),
    );
  });
});

describe('what is refused', () => {
  test.each([
    ['', 'the text ends before the list does at character 0'],
    ['[', 'the text ends'],
    ["['a'", 'the text ends'],
    ["['a", 'the text ends'],
    ["['a\\", 'the text ends'],
    ["['a' 'b']", 'expected "," or "]"'],
    ["['a',,]", 'unexpected character'],
    ['[,]', 'unexpected character'],
    ["{'a' 'b'}", 'expected ":"'],
    ["{a: 'b'}", 'expected a key in quotes'],
    ["['a'] ['b']", 'text after the end'],
    ["['a')", 'expected'],
    ['[undefined]', 'unknown word "undefined"'],
    ['[print("x")]', 'unknown word "print"'],
    ["[__import__('os')]", 'unknown word'],
    [String.raw`['\xZZ']`, 'bad \\x escape'],
    [String.raw`['\UFFFFFFFF']`, 'bad \\U escape'],
    ['['.repeat(100_000), 'nested more than 32 deep'],
  ])('%.30j', (text, problem) => {
    expect(() => parseLiteral(text)).toThrow(LiteralSyntaxError);
    expect(() => parseLiteral(text)).toThrow(problem);
  });

  test('a list that was cut off anywhere is never accepted', () => {
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, where) => {
          for (const text of [JSON.stringify(list), python(list)]) {
            const cut = text.slice(0, Math.min(text.length - 1, Math.floor(where * text.length)));
            expect(parseTodosText(cut).ok).toBe(false);
          }
        },
      ),
    );
  });

  test('whatever the text, the parser throws its own error or nothing', () => {
    const pieces = fc.array(
      fc.constantFrom(...'[](){},:\'"\\ \nxuU0-1.eTN'.split(''), 'True', 'None', '\\x4'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((parts) => parts.join('')),
        ),
        (text) => {
          expect(parseTodosText(text)).toHaveProperty('ok');
          try {
            parseLiteral(text);
          } catch (error) {
            expect(error).toBeInstanceOf(LiteralSyntaxError);
          }
        },
      ),
    );
  });
});

describe('repair', () => {
  test.each([
    [null],
    [3],
    ['text'],
    [[]],
    [{}],
    [{ todos: 5 }],
    [{ todos: 'not json' }],
    [{ todos: '{"content":"x"}' }],
  ])('B01 %j stays as it was, for the schema to refuse', (input) => {
    expect(repairTodosInput(input)).toBe(input);
  });

  test('B01 the explanation says why a text is no list, and is silent when there is nothing to say', () => {
    expect(explainTodosText({ todos: '{"content":"x"}' })).toContain(
      'the text holds an object, not an array',
    );
    expect(explainTodosText({ todos: 'null' })).toContain('the text holds null');
    expect(explainTodosText({ todos: '[{"a":1}' })).toContain('not a complete list');
    expect(explainTodosText({ todos: '[]' })).toBeUndefined();
    expect(explainTodosText({ todos: [] })).toBeUndefined();
  });

  test('any JSON can be repaired without a throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.jsonValue().map((todos) => ({ todos })),
        ),
        (input) => {
          repairTodosInput(input);
          expect(explainTodosText(input) ?? '').toEqual(expect.any(String));
        },
      ),
    );
  });
});
