import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HookInput } from '../../src/protocol/hooks.js';
import type { PermissionResult } from '../../src/protocol/permissions.js';
import { type AnyTool, defineTool, type ToolResult } from '../../src/tool.js';
import { dispatcher } from '../support/dispatch.js';

const log: string[] = [];

/** A tool that notes when it begins and ends. */
function step(name: string, ms: number, readOnly: boolean): AnyTool {
  return defineTool({
    name,
    description: name,
    inputSchema: z.looseObject({}),
    isReadOnly: () => readOnly,
    async call() {
      log.push(`${name} begins`);
      await sleep(ms);
      log.push(`${name} ends`);
      return { data: { name }, content: name };
    },
  });
}

function gives(result: () => unknown): AnyTool {
  return defineTool({
    name: 'T',
    description: 't',
    inputSchema: z.looseObject({}),
    call: async () => result() as ToolResult,
  });
}

const text = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content));

describe('which calls run at the same time', () => {
  test('read-only neighbours do, any other runs alone, results come in the order of the calls', async () => {
    log.length = 0;
    const { run } = dispatcher({
      tools: [step('slow', 20, true), step('fast', 1, true), step('write', 1, false)],
    });
    const results = await run(['slow'], ['fast'], ['write'], ['fast'], ['slow']);
    expect(results.map(({ call }) => call.name)).toEqual(['slow', 'fast', 'write', 'fast', 'slow']);
    expect(log).toEqual([
      'slow begins',
      'fast begins',
      'fast ends',
      'slow ends',
      'write begins',
      'write ends',
      'fast begins',
      'slow begins',
      'fast ends',
      'slow ends',
    ]);
  });

  test('never more than ten', async () => {
    let running = 0;
    let most = 0;
    const count = defineTool({
      name: 'count',
      description: 'c',
      inputSchema: z.looseObject({}),
      isReadOnly: () => true,
      async call() {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        return { data: null, content: 'ok' };
      },
    });
    const results = await dispatcher({ tools: [count] }).run(
      ...Array.from({ length: 25 }, () => ['count'] as [string]),
    );
    expect([results.length, most]).toEqual([25, 10]);
  });

  test('a tool whose word on itself throws runs alone and still runs', async () => {
    const odd = {
      ...gives(() => ({ data: 1, content: 'ok' })),
      isConcurrencySafe: () => {
        throw new Error('who knows');
      },
    };
    expect(await dispatcher({ tools: [odd] }).run(['T'])).toMatchObject([{ ok: true }]);
  });
});

test('B63 each call has its own outcome, whatever its neighbours do', async () => {
  const strict = defineTool({
    name: 'strict',
    description: 's',
    inputSchema: z.strictObject({ subject: z.string() }),
    isConcurrencySafe: () => true,
    call: async ({ subject }) => ({ data: null, content: subject }),
  });
  const throws = {
    ...gives(() => Promise.reject(new Error('exit code 1'))),
    name: 'throws',
    isReadOnly: () => true,
  };
  const fine = { ...gives(() => ({ data: 1, content: 'fine' })), name: 'fine', isReadOnly: () => true };
  const results = await dispatcher({ tools: [strict, throws, fine] }).run(
    ['throws'],
    ['fine'],
    ['strict', {}],
    ['strict', { subject: 'x' }],
  );
  expect(results.map(({ ok, result }) => [ok, text(result.content).split('\n')[0]])).toEqual([
    [false, 'exit code 1'],
    [true, 'fine'],
    [false, 'The input of strict is not valid; nothing was done.'],
    [true, 'x'],
  ]);
});

describe('B73 whatever a tool throws or returns becomes a result with text under the right id', () => {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  const raise = (value: unknown) => () => {
    throw value;
  };
  test.each<[string, () => unknown]>([
    ['an error without text', raise(new Error(''))],
    ['a text', raise('str')],
    ['undefined', raise(undefined)],
    ['a later rejection', () => sleep(10).then(raise(new Error('late')))],
    ['undefined returned', () => undefined],
    ['a text returned', () => 'just text'],
    ['a ring', () => ring],
    ['a bigint', () => 10n],
    ['a buffer', () => Buffer.from('x')],
    ['content that is a bigint', () => ({ data: 1, content: 10n })],
    ['content of odd blocks', () => ({ data: 1, content: [{ type: 'text' }] })],
    ['a failure without text', () => ({ data: 1, content: '', isError: true })],
  ])('%s', async (_name, result) => {
    const neighbour = { ...gives(() => ({ data: 1, content: 'fine' })), name: 'neighbour' };
    const [odd, other] = await dispatcher({ tools: [gives(result), neighbour] }).run(['T'], ['neighbour']);
    expect(odd?.result).toMatchObject({ tool_use_id: 'call_0', is_error: true });
    expect(text(odd?.result.content).trim()).not.toBe('');
    expect(other).toMatchObject({ ok: true });
  });

  test.each<[string, unknown]>([
    ['a ring', ring],
    ['a bigint', 10n],
    ['a function', () => {}],
  ])('data that is %s reaches hooks and host as something JSON can hold', async (_name, data) => {
    const seen: unknown[] = [];
    const { run } = dispatcher({
      tools: [gives(() => ({ data, content: 'ok' }))],
      hooks: { PostToolUse: [{ hooks: [(input) => void seen.push(input)] }] },
    });
    const [result] = await run(['T']);
    expect(result?.ok).toBe(true);
    expect(() => JSON.stringify(result?.data)).not.toThrow();
    expect(seen).toHaveLength(1);
  });
});

describe('B66 a tool that says nothing', () => {
  test.each([[''], [' \n'], [[]], [[{ type: 'text', text: '' }]]])(
    '%j becomes (no output)',
    async (content) => {
      const [result] = await dispatcher({ tools: [gives(() => ({ data: null, content }))] }).run(['T']);
      expect(result?.result.content).toBe('(no output)');
    },
  );
});

describe('long results', () => {
  test('are cut to head and tail, and the whole text lies in the file that the result names', async () => {
    const long = `${'a'.repeat(5000)}${'b'.repeat(5000)}`;
    const { run } = dispatcher({
      tools: [gives(() => ({ data: null, content: long }))],
      maxResultChars: 3000,
    });
    const [result] = await run(['T']);
    const shown = text(result?.result.content);
    expect(shown.startsWith('a'.repeat(2000))).toBe(true);
    expect(shown.endsWith('b'.repeat(1000))).toBe(true);
    expect(shown).toContain('7000 of 10000 characters left out');
    const path = /The whole text is in (\S+);/.exec(shown)?.[1] ?? '';
    expect(await readFile(path, 'utf8')).toBe(long);
  });

  test('a limit of the tool itself goes before that of the session', async () => {
    const tool = { ...gives(() => ({ data: null, content: 'x'.repeat(200) })), maxResultChars: 100 };
    const [result] = await dispatcher({ tools: [tool] }).run(['T']);
    expect(text(result?.result.content)).toContain('100 of 200');
  });

  test('of several texts and an image keep the image, and no pair of surrogates is torn', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const content = [
      { type: 'text', text: '😀'.repeat(100) },
      image,
      { type: 'text', text: '😀'.repeat(100) },
    ];
    const [result] = await dispatcher({
      tools: [gives(() => ({ data: null, content }))],
      maxResultChars: 100,
    }).run(['T']);
    const blocks = result?.result.content;
    expect(blocks).toHaveLength(2);
    expect(blocks?.[1]).toEqual(image);
    expect(JSON.stringify(blocks)).not.toMatch(/\\ud[89ab]/i);
  });
});

describe('B79 the answer of canUseTool', () => {
  const strict = defineTool({
    name: 'strict',
    description: 's',
    inputSchema: z.strictObject({ path: z.string() }),
    call: async ({ path }) => ({ data: null, content: `did ${path}` }),
  });
  const cases: Array<[string, () => unknown, boolean, RegExp]> = [
    ['allow without updatedInput', () => ({ behavior: 'allow' }), true, /did a/],
    ['allow with updatedInput', () => ({ behavior: 'allow', updatedInput: { path: 'b' } }), true, /did b/],
    [
      'allow with input that breaks the schema',
      () => ({ behavior: 'allow', updatedInput: { path: 1 } }),
      false,
      /changed on approval[\s\S]*path/,
    ],
    ['deny with a message', () => ({ behavior: 'deny', message: 'not now' }), false, /not now/],
    ['deny without one', () => ({ behavior: 'deny' }), false, /denied/i],
    ['undefined', () => undefined, false, /not valid/],
    ['null', () => null, false, /not valid/],
    ['a throw', () => Promise.reject(new Error('no screen')), false, /no screen/],
    ['junk', () => ({ behavior: 'maybe' }), false, /not valid/],
  ];
  test.each(cases)('%s', async (_name, reply, ok, says) => {
    const { run } = dispatcher({
      tools: [strict],
      mode: 'default',
      canUseTool: () => reply() as PermissionResult,
    });
    const [result] = await run(['strict', { path: 'a' }]);
    expect(result?.ok).toBe(ok);
    expect(text(result?.result.content)).toMatch(says);
  });

  test('that never comes: an interrupt ends the call, and nothing ran', async () => {
    const { run, abort } = dispatcher({
      tools: [strict],
      mode: 'default',
      canUseTool: () => new Promise(() => {}),
    });
    setTimeout(() => abort.abort(), 10);
    const [result] = await run(['strict', { path: 'a' }]);
    expect(text(result?.result.content)).toMatch(/Interrupted before it ran/);
    expect(result?.denial).toBeUndefined();
  });

  test('cannot lift a deny rule by changing the input', async () => {
    const shell = defineTool({
      name: 'Bash',
      description: 'b',
      inputSchema: z.strictObject({ command: z.string() }),
      access: ({ command }) => ({ kind: 'execute', command }),
      call: async () => ({ data: null, content: 'ran' }),
    });
    const { run } = dispatcher({
      tools: [shell],
      mode: 'default',
      disallowedTools: ['Bash(rm:*)'],
      canUseTool: () => ({ behavior: 'allow', updatedInput: { command: 'rm x' } }),
    });
    expect(await run(['Bash', { command: 'ls' }])).toMatchObject([
      { ok: false, denial: { denied_by: 'rule' } },
    ]);
  });

  test('with interrupt stops the run, and the calls behind it are not run', async () => {
    const { run } = dispatcher({
      tools: [strict],
      mode: 'default',
      canUseTool: () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
    });
    const results = await run(['strict', { path: 'a' }], ['strict', { path: 'b' }]);
    expect(results).toMatchObject([{ stop: { by: 'person', text: 'stop' } }, { ok: false }]);
    expect(text(results[1]?.result.content)).toMatch(/Not run/);
  });

  test('the same denied call a third time stops the run', async () => {
    const { run } = dispatcher({ tools: [strict], mode: 'default' });
    expect((await run(['strict', { path: 'a' }], ['strict', { path: 'b' }]))[1]?.stop).toBeUndefined();
    await run(['strict', { path: 'a' }]);
    expect((await run(['strict', { path: 'a' }]))[0]?.stop).toMatchObject({ by: 'limit' });
  });
});

describe('hooks around a call', () => {
  const tool = defineTool({
    name: 'T',
    description: 't',
    inputSchema: z.strictObject({ n: z.number(), fail: z.boolean().optional() }),
    call: async ({ n, fail }) => {
      log.push(`call ${n}`);
      if (fail) throw new Error('broke');
      return { data: { n }, content: `n is ${n}` };
    },
  });

  test('PreToolUse, the call, PostToolUse; after a failure PostToolUseFailure with its text', async () => {
    log.length = 0;
    const note = (input: { hook_event_name: string }) =>
      void log.push(JSON.stringify(input).includes('broke') ? 'failure broke' : input.hook_event_name);
    const { run } = dispatcher({
      tools: [tool],
      hooks: {
        PreToolUse: [{ hooks: [note] }],
        PostToolUse: [{ hooks: [note] }],
        PostToolUseFailure: [{ hooks: [note] }],
      },
    });
    await run(['T', { n: 1 }], ['T', { n: 2, fail: true }]);
    expect(log).toEqual(['PreToolUse', 'call 1', 'PostToolUse', 'PreToolUse', 'call 2', 'failure broke']);
  });

  test('none of them hears of input that does not fit, nor of a denied call', async () => {
    log.length = 0;
    const note = (input: { hook_event_name: string }) => void log.push(input.hook_event_name);
    const { run } = dispatcher({
      tools: [tool],
      mode: 'default',
      hooks: { PreToolUse: [{ hooks: [note] }], PostToolUseFailure: [{ hooks: [note] }] },
    });
    await run(['T', { n: 'one' }], ['T', { n: 1 }]);
    expect(log).toEqual(['PreToolUse']);
  });

  test('a changed input is validated again and is what runs, and what later hooks see', async () => {
    const seen: unknown[] = [];
    const change = (n: unknown) => () => ({ hookSpecificOutput: { updatedInput: { n } } });
    const after = {
      PostToolUse: [
        { hooks: [(input: HookInput) => void seen.push('tool_input' in input && input.tool_input)] },
      ],
    };
    const good = dispatcher({ tools: [tool], hooks: { PreToolUse: [{ hooks: [change(7)] }], ...after } });
    expect((await good.run(['T', { n: 1 }]))[0]).toMatchObject({ ok: true, data: { n: 7 }, input: { n: 7 } });
    expect(seen).toEqual([{ n: 7 }]);
    const bad = dispatcher({ tools: [tool], hooks: { PreToolUse: [{ hooks: [change('x')] }] } });
    expect(text((await bad.run(['T', { n: 1 }]))[0]?.result.content)).toMatch(
      /hook changed the input[\s\S]*n: expected number/,
    );
  });

  test('a hook that denies is named as the one who did, a hook that allows does not lift a deny rule', async () => {
    const deny = dispatcher({
      tools: [tool],
      hooks: { PreToolUse: [{ hooks: [() => ({ decision: 'block' as const, reason: 'no' })] }] },
    });
    expect(await deny.run(['T', { n: 1 }])).toMatchObject([
      { ok: false, denial: { denied_by: 'hook' }, result: { content: 'Denied by a PreToolUse hook: no' } },
    ]);
    const allow = () => ({ hookSpecificOutput: { permissionDecision: 'allow' as const } });
    const rule = dispatcher({
      tools: [tool],
      disallowedTools: ['T'],
      hooks: { PreToolUse: [{ hooks: [allow] }] },
    });
    expect(await rule.run(['T', { n: 1 }])).toMatchObject([{ ok: false, denial: { denied_by: 'rule' } }]);
  });

  test('continue: false before a call keeps it from running and stops the run', async () => {
    log.length = 0;
    const halt = () => ({ continue: false, stopReason: 'quota' });
    const { run } = dispatcher({ tools: [tool], hooks: { PreToolUse: [{ hooks: [halt] }] } });
    expect(await run(['T', { n: 1 }])).toMatchObject([{ ok: false, stop: { by: 'hook', text: 'quota' } }]);
    expect(log).toEqual([]);
  });

  test('what they say to the model stands beside the result; a new output takes its place', async () => {
    const { run } = dispatcher({
      tools: [tool],
      hooks: {
        PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: { additionalContext: 'before' } })] }],
        PostToolUse: [
          {
            hooks: [
              () => ({
                decision: 'block' as const,
                reason: 'look again',
                hookSpecificOutput: { updatedToolOutput: 'censored' },
              }),
            ],
          },
        ],
      },
    });
    const [result] = await run(['T', { n: 1 }]);
    expect(result?.result.content).toBe('censored');
    expect(result?.data).toBe('censored');
    expect(result?.texts).toEqual([
      'PreToolUse hook feedback:\nbefore',
      'PostToolUse hook feedback:\nlook again',
    ]);
  });
});
