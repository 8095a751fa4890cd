import { describe, expect, test } from 'vitest';
import { SessionHooks } from '../../src/hooks/session-hooks.js';
import type { HookCallback, HookCallbackMatcher, HookInput, HookMatchers } from '../../src/protocol/hooks.js';

function hooksOf(matchers: HookMatchers, abort = new AbortController()) {
  const notices: string[] = [];
  const hooks = new SessionHooks({
    matchers,
    base: () => ({ session_id: 's', transcript_path: '', cwd: '/w', permission_mode: 'default' }),
    signal: () => abort.signal,
    notice: (text) => notices.push(text),
  });
  const call = (tool_name = 'Bash', tool_input: Record<string, unknown> = {}) =>
    hooks.run('PreToolUse', { tool_name, tool_input, tool_use_id: 't1' }, tool_name, 't1');
  return { hooks, notices, call, abort };
}

const on = (callback: HookCallback, more: Partial<HookCallbackMatcher> = {}): HookMatchers => ({
  PreToolUse: [{ hooks: [callback], ...more }],
});

describe('B59 a callback that does not do as it should', () => {
  const guard = {
    throws: () => {
      throw new Error('');
    },
    rejects: () => Promise.reject('no luck'),
    junk: () => JSON.parse('{"decision":"maybe"}'),
    text: () => JSON.parse('"yes"'),
  };
  test.each<[string, HookCallback, RegExp]>([
    ['throws an error without text', guard.throws, /PreToolUse throws threw: Error/],
    ['rejects with a text', guard.rejects, /PreToolUse rejects threw: no luck/],
    ['answers junk', guard.junk, /PreToolUse junk gave an answer that is not valid \(decision:/],
    ['answers a text', guard.text, /PreToolUse text gave an answer that is not valid/],
  ])(
    '%s: told once with its event and name, the call goes on; with onFailure block it does not',
    async (_name, callback, says) => {
      const lenient = hooksOf(on(callback));
      expect((await lenient.call()).decision).toBeUndefined();
      await lenient.call();
      expect(lenient.notices).toEqual([expect.stringMatching(says)]);
      const strict = hooksOf(on(callback, { onFailure: 'block' }));
      expect(await strict.call()).toMatchObject({
        decision: 'deny',
        decisionReason: expect.stringMatching(/blocked because/),
      });
    },
  );

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['{}', {}],
    ['unknown fields', { colour: 'red', hookSpecificOutput: { shape: 'round' } }],
  ])('%s changes nothing', async (_name, answer) => {
    const { call, notices } = hooksOf(on(() => answer as undefined));
    expect((await call()).decision).toBeUndefined();
    expect(notices).toEqual([]);
  });

  test('the limit is in seconds; a guard that gave no answer in time is no yes; its signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const silent: HookCallback = (_input, _id, options) => {
      signal = options.signal;
      return new Promise(() => {});
    };
    const began = performance.now();
    const { call, notices } = hooksOf(on(silent, { timeout: 0.2 }));
    expect((await call()).decision).toBe('deny');
    expect(performance.now() - began).toBeGreaterThan(190);
    expect(signal?.aborted).toBe(true);
    expect(notices).toEqual([expect.stringContaining('within 0.2 s')]);
  });

  test('out of time on TaskCompleted is told and goes on', async () => {
    const { hooks, notices } = hooksOf({
      TaskCompleted: [{ hooks: [() => new Promise(() => {})], timeout: 0.05, onFailure: 'block' }],
    });
    const verdict = await hooks
      .taskHooks({})
      .completed(
        { id: '1', subject: 's', description: '', status: 'pending', blocks: [], blockedBy: [] },
        'l',
      );
    expect(verdict).toEqual({ blocked: false });
    expect(notices).toHaveLength(1);
  });

  test('an interrupt is not waited for', async () => {
    const { call, abort } = hooksOf(on(() => new Promise(() => {})));
    setTimeout(() => abort.abort(), 10);
    expect((await call()).failures).toEqual([expect.stringContaining('interrupted')]);
  });

  test('what has happened is told also after the interrupt', async () => {
    const seen: string[] = [];
    const { hooks, abort } = hooksOf({
      PostToolUseFailure: [{ hooks: [(input) => void seen.push(input.hook_event_name)] }],
    });
    abort.abort();
    const facts = {
      tool_name: 'T',
      tool_input: {},
      tool_use_id: 't',
      error: 'x',
      is_interrupt: true,
      duration_ms: 1,
    };
    expect((await hooks.run('PostToolUseFailure', facts, 'T', 't')).failures).toEqual([]);
    expect(seen).toEqual(['PostToolUseFailure']);
  });
});

describe('B54 hooks on the plan', () => {
  const task = {
    id: '1',
    subject: 's',
    description: 'd',
    status: 'in_progress' as const,
    blocks: [],
    blockedBy: [],
  };
  const guard = {
    pass: () => undefined,
    block: () => ({ decision: 'block' as const, reason: 'no tests' }),
    blockSilently: () => ({ decision: 'block' as const }),
    fail: () => {
      throw new Error('x');
    },
  };
  const verdicts = [
    [guard.pass, { blocked: false }],
    [guard.block, { blocked: true, reason: 'no tests' }],
    [guard.blockSilently, { blocked: true, reason: /blocked by hook .* blockSilently, no reason given/ }],
    [guard.fail, { blocked: false }],
  ] as const;
  test.each(verdicts)('%o', async (callback, verdict) => {
    for (const [event, ask] of [
      ['TaskCreated', 'created'],
      ['TaskCompleted', 'completed'],
    ] as const) {
      const { hooks } = hooksOf({ [event]: [{ hooks: [callback] }] });
      const given = await hooks.taskHooks({})[ask](task, 'list');
      expect(given.blocked).toBe(verdict.blocked);
      if (given.blocked && verdict.blocked) {
        expect(given.feedback.startsWith(`${event} hook feedback:\n`)).toBe(true);
        expect(given.feedback).toMatch(verdict.reason);
      }
    }
  });
});

test('each hook has a copy of the input, with what every hook is told', async () => {
  const seen: HookInput[] = [];
  const change: HookCallback = (input) => {
    if (input.hook_event_name === 'PreToolUse') input.tool_input.path = 'changed';
    seen.push(input);
  };
  const { call } = hooksOf({ PreToolUse: [{ hooks: [change, (input) => void seen.push(input)] }] });
  await call('Edit', { path: 'a' });
  expect(seen[1]).toEqual({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '',
    cwd: '/w',
    permission_mode: 'default',
    tool_name: 'Edit',
    tool_input: { path: 'a' },
    tool_use_id: 't1',
  });
});

test('only the hooks whose matcher takes the tool run', async () => {
  const ran: string[] = [];
  const { call } = hooksOf({
    PreToolUse: [
      { matcher: 'Edit', hooks: [() => void ran.push('Edit')] },
      { matcher: 'Ba.*', hooks: [() => void ran.push('Ba.*')] },
      { hooks: [() => void ran.push('all')] },
    ],
  });
  await call('Bash');
  expect(ran).toEqual(['Ba.*', 'all']);
});

describe('what cannot be used is refused with its place', () => {
  test.each<[object, RegExp]>([
    [{ PreToolUse: [{ hooks: ['echo'] }] }, /options\.hooks\.PreToolUse\[0\]\.hooks\[0\]/],
    [{ PreToolUse: [{}] }, /options\.hooks\.PreToolUse\[0\]\.hooks/],
    [{ Stop: [{ hooks: [], timeout: 0 }] }, /options\.hooks\.Stop\[0\]\.timeout/],
    [{ PreToolUse: [{ matcher: 'a(', hooks: [] }] }, /options\.hooks\.PreToolUse\[0\]\.matcher/],
  ])('%o', (matchers, place) => {
    expect(() => hooksOf(matchers as HookMatchers)).toThrow(place);
  });

  test('an event that does not occur here is named once', () => {
    const { notices } = hooksOf({ SessionStart: [{ hooks: [] }] } as HookMatchers);
    expect(notices).toEqual([expect.stringContaining('options.hooks.SessionStart')]);
  });
});
