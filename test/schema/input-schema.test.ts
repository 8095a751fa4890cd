import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { describeValue, formatPath, inputErrorText } from '../../src/schema/input-error.js';
import { inputSchema } from '../../src/schema/input-schema.js';

describe('B85 every form gives the same properties and the same required ones', () => {
  test.each<[string, object]>([
    ['zod 4 object', z.object({ a: z.string(), b: z.number().default(1) })],
    ['zod 4 shape', { a: z.string(), b: z.number().default(1) }],
    ['zod 3 object', z3.object({ a: z3.string(), b: z3.number().default(1) })],
    ['zod 3 shape', { a: z3.string(), b: z3.number().default(1) }],
    ['zod/mini object', mini.object({ a: mini.string(), b: mini._default(mini.number(), 1) })],
    ['both versions in one shape', { a: z3.string(), b: z.number().default(1) }],
  ])('%s', (_name, source) => {
    const made = inputSchema('t', source);
    expect(made.jsonSchema).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number', default: 1 } },
      required: ['a'],
    });
    expect(made.schema.parse({ a: 'x' })).toEqual({ a: 'x', b: 1 });
    const bad = made.schema.safeParse({ a: 1 });
    expect(bad.error?.issues.map((issue) => formatPath(issue.path))).toContain('a');
  });

  test('a type that would go out empty, and what is no schema, are refused', () => {
    expect(() => inputSchema('t', { a: z.string(), b: 'text' })).toThrow(
      /t: not a zod schema in its shape: b/,
    );
    expect(() => inputSchema('t', z.string())).toThrow(/must be an object/);
    expect(() => inputSchema('t', { type: 'array' })).toThrow(/must be an object/);
  });
});

describe('B87 a root that the API refuses is merged, and the exact constraint is checked here', () => {
  test('a union: every property offered, required what all branches require', () => {
    const union = z.union([
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), y: z.number() }),
    ]);
    const { schema, jsonSchema } = inputSchema('t', union);
    expect(jsonSchema).toMatchObject({
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] }, x: { type: 'number' }, y: { type: 'number' } },
      required: ['kind'],
    });
    expect(Object.keys(jsonSchema)).not.toContain('anyOf');
    expect(schema.safeParse({ kind: 'a', y: 1 }).success).toBe(false);
  });

  test('JSON Schema with sets of required keys', () => {
    const json = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    const { jsonSchema } = inputSchema('t', json);
    expect(jsonSchema).toEqual({ type: 'object', properties: json.properties });
  });

  test('an intersection requires what any part requires', () => {
    const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }));
    expect(inputSchema('t', both).jsonSchema).toMatchObject({ type: 'object', required: ['a', 'b'] });
  });
});

test.each<[string, object | undefined]>([
  ['an empty shape', {}],
  ['an empty object', z.object({})],
  ['an empty zod 3 object', z3.object({})],
  ['JSON Schema without properties', { type: 'object' }],
  ['nothing', undefined],
])('B89 %s is an object without properties', (_name, source) => {
  const { schema, jsonSchema } = inputSchema('t', source);
  expect(jsonSchema).toMatchObject({ type: 'object', properties: {} });
  expect(schema.safeParse({}).success).toBe(true);
});

describe('errors name the place, what came and what is allowed', () => {
  const schema = z.strictObject({
    todos: z.array(z.object({ status: z.enum(['open', 'done']), n: z.number().optional() })),
  });
  test.each<[unknown, string]>([
    [{}, 'todos: missing, expected array'],
    [{ todos: 'x' }, 'todos: expected array, received string "x"'],
    [{ todos: [{ status: 'dne' }] }, 'todos[0].status: received string "dne", allowed: "open", "done"'],
    [{ todos: [{ status: 'open', n: null }] }, 'todos[0].n: expected number, received null'],
    [{ todos: [], more: 1 }, 'input: unexpected more'],
    ['text', 'input: expected object, received string "text"'],
  ])('%j', (input, line) => {
    const { error } = schema.safeParse(input);
    if (!error) throw new Error('the input must be wrong');
    expect(inputErrorText('T', error, input)).toBe(`The input of T is not valid; nothing was done.\n${line}`);
  });

  test('long values are cut, and many issues are counted', () => {
    expect(describeValue('x'.repeat(200)).length).toBeLessThan(100);
    const input = { todos: Array.from({ length: 30 }, () => ({ status: 1 })) };
    const { error } = schema.safeParse(input);
    if (!error) throw new Error('the input must be wrong');
    expect(inputErrorText('T', error, input, 'More help.')).toMatch(/and 20 more\nMore help\.$/);
  });
});
