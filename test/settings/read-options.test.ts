import { describe, expect, test } from 'vitest';
import type { Options } from '../../src/protocol/options.js';
import { flagOptions } from '../../src/settings/extra-args.js';
import { readOptions } from '../../src/settings/read-options.js';

test('defaults', () => {
  const settings = readOptions({ env: {} });
  expect(settings).toMatchObject({
    cwd: process.cwd(),
    model: 'claude-sonnet-5-5',
    permissionMode: 'default',
    maxTurns: Number.POSITIVE_INFINITY,
    maxOutputTokens: 32_000,
    maxToolResultChars: 30_000,
    agentName: undefined,
    warnings: [],
  });
  expect(settings.sessionId).toMatch(/^[0-9a-f-]{36}$/);
});

test('an option that is given as undefined is not given', () => {
  const given: Options = { env: {}, model: undefined, maxTurns: undefined, reminders: undefined };
  expect(readOptions(given)).toMatchObject({ model: 'claude-sonnet-5-5', warnings: [] });
});

test.each([
  [{ model: 'opus' }, {}, 'claude-opus-5-5'],
  [{ model: 'haiku' }, {}, 'claude-haiku-5-5'],
  [{ model: 'claude-x-1' }, {}, 'claude-x-1'],
  [{}, { ANTHROPIC_MODEL: 'fable' }, 'claude-fable-5-2'],
  [{ model: 'sonnet' }, { ANTHROPIC_MODEL: 'opus' }, 'claude-sonnet-5-5'],
])('the model of %j with %j is %s', (options, env, model) => {
  expect(readOptions({ ...options, env }).model).toBe(model);
});

describe('a wrong value is refused with its place', () => {
  test.each<[string, Record<string, unknown>]>([
    ['options.maxTurns', { maxTurns: 0 }],
    ['options.maxTurns', { maxTurns: 'ten' }],
    ['options.permissionMode', { permissionMode: 'yolo' }],
    ['options.planning', { planning: 'maybe' }],
    ['options.reminders', { reminders: { afterRounds: -1 } }],
    ['options.reminders', { reminders: true }],
    ['options.tasks', { tasks: { listID: 'x' } }],
    ['options.tasks.listId', { tasks: { listId: ' ' } }],
    ['options.tools', { tools: 'Read' }],
    ['options.allowedTools[1]', { allowedTools: ['Read', 7] }],
    ['options.canUseTool', { canUseTool: 'yes' }],
    ['options.sessionId', { sessionId: 'mine' }],
    ['options.systemPrompt', { systemPrompt: { type: 'preset', preset: 'other' } }],
    ['options.cwd', { cwd: '/does/not/exist' }],
    ['options.cwd', { cwd: new URL(import.meta.url).pathname }],
    ['options.hooks.Stop', { hooks: { Stop: {} } }],
    ['allowDangerouslySkipPermissions', { permissionMode: 'bypassPermissions' }],
  ])('%s', (place, options) => {
    expect(() => readOptions({ env: {}, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(place) }),
    );
  });

  test('all of them at once', () => {
    expect(() => readOptions({ env: {}, maxTurns: 0, planning: 'x' as 'off' })).toThrow(
      /maxTurns[\s\S]*planning/,
    );
  });
});

test('an option that this version lacks is named', () => {
  const given = { env: {}, resume: 'abc', fallbackModel: 'x' } as Options;
  expect(readOptions(given).warnings).toEqual([
    'options.resume is not supported in this version and has no effect.',
    'options.fallbackModel is not supported in this version and has no effect.',
  ]);
});

describe('extraArgs', () => {
  test('flags that stand for an option work, the others are named', () => {
    expect(
      flagOptions({
        'max-turns': '3',
        '--model': 'opus',
        allowedTools: 'Read,Bash(git log:*)',
        chrome: null,
      }),
    ).toEqual({
      options: { maxTurns: 3, model: 'opus', allowedTools: ['Read', 'Bash(git log:*)'] },
      warnings: ["options.extraArgs['chrome'] is not supported in this version and has no effect."],
    });
    expect(flagOptions({ model: null }).warnings).toEqual([
      "options.extraArgs['model'] needs a value and has no effect.",
    ]);
  });

  test('an option goes before the flag, and a wrong value of a flag is refused as that of the option', () => {
    expect(readOptions({ env: {}, maxTurns: 5, extraArgs: { 'max-turns': '3' } }).maxTurns).toBe(5);
    expect(() => readOptions({ env: {}, extraArgs: { 'max-turns': 'x' } })).toThrow(/options.maxTurns/);
  });
});

test('the name of the agent comes from the option, then from the environment', () => {
  expect(readOptions({ env: { CLAUDE_CODE_AGENT_NAME: 'bob' } }).agentName).toBe('bob');
  expect(readOptions({ env: { CLAUDE_CODE_AGENT_NAME: 'bob' }, agentName: 'ada' }).agentName).toBe('ada');
});
