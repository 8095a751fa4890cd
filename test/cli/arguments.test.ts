import { describe, expect, test } from 'vitest';
import { type PrintCommand, readArguments } from '../../src/cli/arguments.js';
import { splitRules } from '../../src/permissions/rule-list.js';

function print(...argv: string[]): PrintCommand {
  const command = readArguments(argv);
  if (command.kind !== 'print') throw new Error(`not a print command: ${JSON.stringify(command)}`);
  return command;
}

function usage(...argv: string[]): string {
  const command = readArguments(argv);
  return command.kind === 'usage' ? command.message : `no usage error: ${JSON.stringify(command)}`;
}

describe('flags become options', () => {
  test.each<[string[], PrintCommand['options']]>([
    [['-p', 'hi'], {}],
    [['-p', 'hi', '--model', 'opus'], { model: 'opus' }],
    [['-p', 'hi', '--max-turns', '7'], { maxTurns: 7 }],
    [['-p', 'hi', '--max-turns=7'], { maxTurns: 7 }],
    [
      ['-p', 'hi', '--allowedTools', 'Read,Bash(git log:*) Edit'],
      { allowedTools: ['Read', 'Bash(git log:*)', 'Edit'] },
    ],
    [['-p', 'hi', '--allowed-tools', 'Read', 'Edit'], { allowedTools: ['Read', 'Edit'] }],
    [['-p', 'hi', '--disallowedTools', 'Bash'], { disallowedTools: ['Bash'] }],
    [['-p', 'hi', '--tools', 'Read,Todo'], { tools: ['Read', 'Todo'] }],
    [['-p', 'hi', '--tools', ''], { tools: [] }],
    [['-p', 'hi', '--tools', 'default'], {}],
    [['-p', 'hi', '--add-dir', '/a', '/b'], { additionalDirectories: ['/a', '/b'] }],
    [['-p', 'hi', '--permission-mode', 'manual'], { permissionMode: 'default' }],
    [['-p', 'hi', '--permission-mode', 'acceptEdits'], { permissionMode: 'acceptEdits' }],
    [
      ['-p', 'hi', '--dangerously-skip-permissions'],
      { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
    ],
    [
      ['-p', 'hi', '--permission-mode', 'bypassPermissions'],
      { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
    ],
    [['-p', 'hi', '--allow-dangerously-skip-permissions'], { allowDangerouslySkipPermissions: true }],
    [['-p', 'hi', '--system-prompt', 'S'], { systemPrompt: 'S' }],
    [
      ['-p', 'hi', '--append-system-prompt', 'A'],
      { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'A' } },
    ],
    [['-p', 'hi', '--system-prompt', 'S', '--append-system-prompt', 'A'], { systemPrompt: ['S', 'A'] }],
    [['-p', 'hi', '--planning', 'off'], { planning: 'off' }],
    [['-p', 'hi', '--tasks', 'sprint'], { planning: 'tasks', tasks: { listId: 'sprint' } }],
    [
      ['-p', 'hi', '--output-format', 'stream-json', '--include-partial-messages'],
      { includePartialMessages: true },
    ],
  ])('%j', (argv, options) => {
    const command = print(...argv);
    expect(command.options).toEqual(options);
    expect(command.prompt).toBe('hi');
  });

  test('without flags the format is text and nothing is chosen for the user', () => {
    expect(readArguments([])).toEqual({
      kind: 'print',
      print: false,
      outputFormat: 'text',
      verbose: false,
      allowDenials: false,
      options: {},
    });
  });

  test('a prompt that begins with a dash goes after two dashes', () => {
    expect(print('-p', '--', '- first\n- second').prompt).toBe('- first\n- second');
  });

  test('the word demo is a command only in first place, and a prompt elsewhere', () => {
    expect(readArguments(['demo'])).toEqual({ kind: 'demo', planning: 'both', json: false, live: false });
    expect(readArguments(['demo', '--planning', 'todo', '--json', '--live'])).toEqual({
      kind: 'demo',
      planning: 'todo',
      json: true,
      live: true,
    });
    expect(print('-p', 'demo').prompt).toBe('demo');
  });

  test('help and version are answers, whatever else is there', () => {
    expect(readArguments(['--help'])).toMatchObject({
      kind: 'help',
      text: expect.stringContaining('Exit codes'),
    });
    expect(readArguments(['demo', '-h'])).toMatchObject({ kind: 'help' });
    expect(readArguments(['-p', 'x', '--version'])).toEqual({ kind: 'version' });
  });

  test('every flag that is accepted is in the help text', () => {
    const help = readArguments(['--help']);
    const text = help.kind === 'help' ? help.text : '';
    const flags = [
      '--print --output-format --include-partial-messages --verbose --allow-denials --model --max-turns',
      '--system-prompt --append-system-prompt --tools --allowedTools --disallowedTools --permission-mode',
      '--dangerously-skip-permissions --allow-dangerously-skip-permissions --add-dir --planning --tasks',
    ];
    for (const flag of flags.join(' ').split(' ')) expect(text).toContain(flag);
  });
});

describe('B94 wrong usage is named', () => {
  test.each<[string[], RegExp]>([
    [['-p', 'hi', '--modle', 'opus'], /unknown option '--modle'.*Did you mean --model\?/],
    [['--nonsense'], /unknown option '--nonsense'/],
    [['demo', '--planing', 'todo'], /unknown option '--planing'.*Did you mean --planning\?/],
    [['-p', 'hi', '--resume', 'abc'], /^--resume is not supported by this version/],
    [['-p', 'hi', '--json-schema={}'], /^--json-schema is not supported/],
    [['-p', 'hi', '-c'], /^-c is not supported/],
    [['-p', 'hi', '--max-turns', '0'], /--max-turns.*whole number from 1/],
    [['-p', 'hi', '--max-turns', '3.5'], /--max-turns.*whole number from 1/],
    [['-p', 'hi', '--max-turns', '-1'], /--max-turns/],
    [['-p', 'hi', '--max-turns'], /--max-turns.*argument missing/],
    [['-p', 'hi', '--model', ' '], /--model.*must not be empty/],
    [['-p', 'hi', '--output-format', 'xml'], /--output-format.*text, json, stream-json/],
    [['-p', 'hi', '--permission-mode', 'auto'], /--permission-mode.*acceptEdits/],
    [['-p', 'hi', '--planning', 'both'], /--planning.*todo, tasks, off/],
    [['-p', 'fix', 'the', 'bug'], /too many words: put the prompt in quotes/],
    [['-p', 'hi', '--tasks', 'x', '--planning', 'todo'], /--tasks x .*--planning todo/],
    [['-p', 'hi', '--include-partial-messages'], /needs --output-format stream-json/],
    [['-p', 'hi', '--dangerously-skip-permissions', '--permission-mode', 'plan'], /contradict each other/],
  ])('%j', (argv, message) => {
    expect(usage(...argv)).toMatch(message);
    expect(usage(...argv)).not.toContain('\n');
  });
});

test.each<[string, string[]]>([
  ['', []],
  ['Read', ['Read']],
  [' Read ,, Edit ', ['Read', 'Edit']],
  ['Bash(git log:*),Bash(npm test, now)', ['Bash(git log:*)', 'Bash(npm test, now)']],
  ['Bash(echo (a b)) Read', ['Bash(echo (a b))', 'Read']],
  ['Bash(open Read', ['Bash(open Read']],
  ['a) b', ['a)', 'b']],
])('rules are split outside brackets only: %j', (text, rules) => {
  expect(splitRules(text)).toEqual(rules);
});
