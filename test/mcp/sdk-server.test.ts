import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { createSdkMcpServer, sdkServerTools, tool } from '../../src/mcp/sdk-server.js';
import type { SdkMcpServerConfig } from '../../src/protocol/mcp.js';
import type { Options } from '../../src/protocol/options.js';
import { answer } from '../../src/testing/index.js';
import { runQuery, toolResults } from '../support/run-query.js';

type Handler = Parameters<typeof tool>[3];
const says: Handler = (input) => ({ content: [{ type: 'text', text: JSON.stringify(input) }] });

function server(...tools: Parameters<typeof createSdkMcpServer>[0]['tools'] & object): Options {
  return {
    mcpServers: { s: createSdkMcpServer({ name: 'ignored', tools }) },
    allowedTools: ['mcp__s'],
    tools: [],
  };
}

describe('B85 the same tool, however its schema is written, reaches the model with its parameters', () => {
  const json = {
    type: 'object',
    properties: { town: { type: 'string' }, days: { type: 'number' } },
    required: ['town'],
  };
  test.each<[string, object]>([
    ['a zod 4 shape', { town: z.string(), days: z.number().optional() }],
    ['a zod 4 object', z.object({ town: z.string(), days: z.number().optional() })],
    ['a zod 3 shape', { town: z3.string(), days: z3.number().optional() }],
    ['a zod 3 object', z3.object({ town: z3.string(), days: z3.number().optional() })],
    ['a zod/mini object', mini.object({ town: mini.string(), days: mini.optional(mini.number()) })],
    ['a shape of both versions', { town: z.string(), days: z3.number().optional() }],
    ['plain JSON Schema', json],
  ])('%s', async (_name, schema) => {
    const run = await runQuery({
      options: server(tool('forecast', 'f', schema, says)),
      steps: [
        answer({ toolUses: [{ name: 'mcp__s__forecast', input: { town: 'Bern' } }] }),
        answer({ text: 'ok' }),
      ],
    });
    const sent = run.server.requests[0]?.body.tools as Array<{ input_schema: Record<string, unknown> }>;
    expect(sent[0]?.input_schema).toMatchObject({
      type: 'object',
      properties: { town: { type: 'string' }, days: { type: 'number' } },
      required: ['town'],
    });
    expect(toolResults(run)).toMatchObject([{ content: '{"town":"Bern"}' }]);
  });

  test('a call without a needed parameter gets its name, and the handler is not called', async () => {
    const run = await runQuery({
      options: server(tool('forecast', 'f', { town: z3.string() }, says)),
      steps: [answer({ toolUses: [{ name: 'mcp__s__forecast', input: {} }] }), answer({ text: 'ok' })],
    });
    expect(toolResults(run)).toMatchObject([{ is_error: true, content: expect.stringContaining('town') }]);
  });

  test('defaults and transforms of the schema reach the handler', async () => {
    const run = await runQuery({
      options: server(tool('t', 't', { n: z.string().default('5').transform(Number) }, says)),
      steps: [answer({ toolUses: [{ name: 'mcp__s__t', input: {} }] }), answer({ text: 'ok' })],
    });
    expect(toolResults(run)).toMatchObject([{ content: '{"n":5}' }]);
  });
});

test('B87 a union at the root is merged for the API and checked in full here; other tools work', async () => {
  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number() }),
  ]);
  const run = await runQuery({
    options: server(tool('draw', 'd', shape, says), tool('plain', 'p', {}, says)),
    steps: [
      answer({
        toolUses: [
          { name: 'mcp__s__draw', input: { kind: 'circle', side: 1 } },
          { name: 'mcp__s__draw', input: { kind: 'square', side: 2 } },
          { name: 'mcp__s__plain', input: {} },
        ],
      }),
      answer({ text: 'ok' }),
    ],
  });
  expect(run.server.violations).toEqual([]);
  expect(toolResults(run)).toMatchObject([
    { is_error: true, content: expect.stringContaining('radius') },
    { content: '{"kind":"square","side":2}' },
    { content: '{}' },
  ]);
});

describe('B89 a tool without arguments', () => {
  test.each<[string, object]>([
    ['an empty shape', {}],
    ['an empty object', z.object({})],
    ['JSON Schema of an object', { type: 'object' }],
  ])('%s: sent as an object without properties, called with {}', async (_name, schema) => {
    const run = await runQuery({
      options: server(tool('now', 'n', schema, says)),
      steps: [
        answer({
          toolUses: [
            { name: 'mcp__s__now', input: {} },
            { name: 'mcp__s__now', input: '' },
          ],
        }),
        answer({ text: 'ok' }),
      ],
    });
    const sent = run.server.requests[0]?.body.tools as Array<{ input_schema: Record<string, unknown> }>;
    expect(sent[0]?.input_schema).toMatchObject({ type: 'object', properties: {} });
    expect(toolResults(run)[0]).toMatchObject({ content: '{}' });
  });
});

describe('what a handler gives', () => {
  const result = async (handler: Handler) => {
    const run = await runQuery({
      options: server(tool('t', 't', {}, handler)),
      steps: [answer({ toolUses: [{ name: 'mcp__s__t', input: {} }] }), answer({ text: 'ok' })],
    });
    const message = run.messages.find((item) => item.type === 'user');
    return {
      block: toolResults(run)[0],
      data: message?.type === 'user' ? message.tool_use_result : undefined,
    };
  };

  test('texts are joined, an error is an error, structured content is the data', async () => {
    const two = [
      { type: 'text' as const, text: 'a' },
      { type: 'text' as const, text: 'b' },
    ];
    expect(await result(() => ({ content: two }))).toMatchObject({ block: { content: 'a\nb' }, data: two });
    expect((await result(() => ({ content: two, isError: true }))).block).toMatchObject({ is_error: true });
    expect(await result(() => ({ content: [], structuredContent: { n: 1 } }))).toMatchObject({
      block: { content: '{"n":1}' },
      data: { n: 1 },
    });
  });

  test('an image goes as an image, an unknown kind as its JSON', async () => {
    const { block } = await result(() => ({
      content: [
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///x' },
      ],
    }));
    expect(block?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'text', text: '{"type":"resource_link","uri":"file:///x"}' },
    ]);
  });

  test('a throw or junk is an error result, and the loop goes on', async () => {
    const thrown = await result(() => {
      throw new Error('no network');
    });
    expect(thrown.block).toMatchObject({ is_error: true, content: 'no network' });
    const junk = await result(() => JSON.parse('{"content":"text"}'));
    expect(junk.block).toMatchObject({ is_error: true, content: expect.stringContaining('no valid result') });
  });
});

describe('names', () => {
  test('characters that the API refuses become _, and the key in mcpServers counts', () => {
    const config = createSdkMcpServer({ name: 'x', tools: [tool('a b', 'd', {}, says)] });
    expect(sdkServerTools('my.server', config).map((made) => made.name)).toEqual(['mcp__my_server__a_b']);
  });

  test('two tools of one name, an empty name and one that is too long are refused', () => {
    const twice = createSdkMcpServer({
      name: 'x',
      tools: [tool('a b', 'd', {}, says), tool('a_b', 'd', {}, says)],
    });
    expect(() => sdkServerTools('s', twice)).toThrow(/two tools/);
    expect(() => tool(' ', 'd', {}, says)).toThrow(/name/);
    const long = createSdkMcpServer({ name: 'x', tools: [tool('a'.repeat(130), 'd', {}, says)] });
    expect(() => sdkServerTools('s', long)).toThrow(/longer than 128/);
  });
});

test('readOnlyHint makes calls run beside each other; without it they wait for each other', () => {
  const made = (readOnlyHint: boolean) =>
    sdkServerTools(
      's',
      createSdkMcpServer({ name: 's', tools: [tool('t', 't', {}, says, { annotations: { readOnlyHint } })] }),
    )[0];
  expect(made(true)?.isReadOnly?.({})).toBe(true);
  expect(made(false)?.isReadOnly?.({})).toBe(false);
});

test('a server of another kind is named as unsupported, shown as failed, and the rest works', async () => {
  const stdio = { type: 'stdio', command: 'x' } as unknown as SdkMcpServerConfig;
  const run = await runQuery({
    options: { mcpServers: { files: stdio }, tools: [] },
    steps: [answer({ text: 'ok' })],
  });
  expect(run.warnings).toEqual([expect.stringContaining('options.mcpServers.files is not supported')]);
  expect(run.messages[0]).toMatchObject({ mcp_servers: [{ name: 'files', status: 'failed' }] });
  expect(run.result?.subtype).toBe('success');
});
