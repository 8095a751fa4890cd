import { describe, expect, test } from 'vitest';
import { type Decision, type DecisionInput, decide } from '../../src/permissions/decide.js';
import { parseRule } from '../../src/permissions/rule.js';
import type { PermissionMode } from '../../src/protocol/permissions.js';
import type { ToolAccess } from '../../src/tool.js';

interface Case {
  tool?: string;
  access: ToolAccess;
  realPath?: string;
  allow?: string[];
  deny?: string[];
  ask?: string[];
  mode?: PermissionMode;
  inside?: boolean;
  readOnly?: boolean;
  hook?: 'allow' | 'ask';
}

function decision(given: Case): Decision['behavior'] {
  const {
    tool = 'T',
    access,
    realPath,
    allow = [],
    deny = [],
    ask = [],
    mode = 'default',
    inside = true,
    readOnly = false,
    hook,
  } = given;
  const input: DecisionInput = {
    call: { toolName: tool, access, cwd: '/w', ...(realPath ? { realPath } : {}) },
    rules: { allow: allow.map(parseRule), deny: deny.map(parseRule), ask: ask.map(parseRule) },
    mode,
    insideWorkspace: inside,
    readOnly,
    ...(hook ? { hook } : {}),
  };
  return decide(input).behavior;
}

const edit: ToolAccess = { kind: 'edit', path: 'a' };
const read: ToolAccess = { kind: 'read', path: 'a' };
const run = (command = 'ls'): ToolAccess => ({ kind: 'execute', command });
const plan: ToolAccess = { kind: 'none' };

describe('hooks, deny rules, ask rules, mode, allow rules, the person, in this order', () => {
  test.each<[string, Case, Decision['behavior']]>([
    ['planning tools never ask', { access: plan }, 'allow'],
    ['planning tools in plan mode', { access: plan, mode: 'plan' }, 'allow'],
    ['but a deny rule holds for them', { tool: 'TodoWrite', access: plan, deny: ['TodoWrite'] }, 'deny'],
    ['reading inside the folders', { access: read }, 'allow'],
    ['reading outside asks', { access: read, inside: false }, 'ask'],
    ['editing asks', { access: edit }, 'ask'],
    ['acceptEdits allows it inside', { access: edit, mode: 'acceptEdits' }, 'allow'],
    ['acceptEdits asks outside', { access: edit, mode: 'acceptEdits', inside: false }, 'ask'],
    ['acceptEdits asks for commands', { access: run(), mode: 'acceptEdits' }, 'ask'],
    ['plan mode denies edits', { access: edit, mode: 'plan' }, 'deny'],
    ['plan mode denies commands', { access: run(), mode: 'plan' }, 'deny'],
    ['plan mode denies what a hook allows', { access: edit, mode: 'plan', hook: 'allow' }, 'deny'],
    [
      'plan mode lets tools run that change nothing',
      { access: { kind: 'execute' }, mode: 'plan', readOnly: true, hook: 'allow' },
      'allow',
    ],
    ['dontAsk denies what it would ask', { access: edit, mode: 'dontAsk' }, 'deny'],
    ['bypass allows', { access: run('rm x'), mode: 'bypassPermissions' }, 'allow'],
    [
      'bypass stands behind deny rules',
      { tool: 'Bash', access: run('rm x'), mode: 'bypassPermissions', deny: ['Bash(rm:*)'] },
      'deny',
    ],
    ['bypass stands behind ask rules', { access: run(), mode: 'bypassPermissions', ask: ['T'] }, 'ask'],
    ['a hook allows', { access: run(), hook: 'allow' }, 'allow'],
    ['a hook that allows stands behind deny rules', { access: run(), hook: 'allow', deny: ['T'] }, 'deny'],
    ['a hook that allows stands behind ask rules', { access: run(), hook: 'allow', ask: ['T'] }, 'ask'],
    ['a hook that asks goes before allow rules', { access: run(), hook: 'ask', allow: ['T'] }, 'ask'],
    ['an allow rule', { access: run(), allow: ['T'] }, 'allow'],
    ['deny before allow', { access: run(), allow: ['T'], deny: ['T'] }, 'deny'],
    ['ask before allow', { access: run(), allow: ['T'], ask: ['T'] }, 'ask'],
    ['ask becomes deny in dontAsk', { access: run(), ask: ['T'], allow: ['T'], mode: 'dontAsk' }, 'deny'],
  ])('%s', (_name, given, behavior) => {
    expect(decision(given)).toBe(behavior);
  });
});

describe('B81 a command is allowed only when all of it is', () => {
  test.each([
    ['git log', 'allow'],
    ['git log --oneline', 'allow'],
    ['git logs', 'ask'],
    ['git log && touch m', 'ask'],
    ['git log; touch m', 'ask'],
    ['git log | sh', 'ask'],
    ['git log\ntouch m', 'ask'],
    ['git log $(touch m)', 'ask'],
    ['git log `touch m`', 'ask'],
    ['git log > f', 'ask'],
    ['git log & touch m', 'ask'],
    ['X=1 git log', 'ask'],
    ['git\tlog', 'ask'],
  ] as const)('%j: %s', (command, behavior) => {
    expect(decision({ tool: 'Bash', access: run(command), allow: ['Bash(git log:*)'] })).toBe(behavior);
    expect(decision({ tool: 'Bash', access: run(command), allow: ['Bash(git log *)'] })).toBe(behavior);
  });

  test('an exact rule allows exactly that', () => {
    expect(decision({ tool: 'Bash', access: run('npm test'), allow: ['Bash(npm test)'] })).toBe('allow');
    expect(decision({ tool: 'Bash', access: run('npm test x'), allow: ['Bash(npm test)'] })).toBe('ask');
  });

  test.each([
    'rm x',
    'env rm x',
    'FOO=1 rm x',
    '/bin/rm x',
    'xargs rm',
    'ls; rm x',
    "r'm' x",
    'r\\m x',
    'echo $(rm x)',
    'sudo -n rm -rf /',
  ])('a denied command is found in %j', (command) => {
    expect(decision({ tool: 'Bash', access: run(command), allow: ['Bash'], deny: ['Bash(rm:*)'] })).toBe(
      'deny',
    );
  });

  test('and only there', () => {
    expect(decision({ tool: 'Bash', access: run('warm up'), allow: ['Bash'], deny: ['Bash(rm:*)'] })).toBe(
      'allow',
    );
  });
});

describe('rules for files are held against the real path', () => {
  test.each<[string, string, boolean]>([
    ['src/**', '/w/src/a.ts', true],
    ['src/**', '/w/lib/a.ts', false],
    ['*.env', '/w/deep/x.env', true],
    ['/src', '/w/src/a.ts', true],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', '/w/etc/passwd', false],
    ['src/**', '/elsewhere/src/a.ts', false],
  ])('%s covers %s: %s', (pattern, realPath, covered) => {
    const given = { tool: 'Edit', access: edit, realPath };
    expect(decision({ ...given, allow: [`Edit(${pattern})`] })).toBe(covered ? 'allow' : 'ask');
    expect(decision({ ...given, mode: 'bypassPermissions', deny: [`Edit(${pattern})`] })).toBe(
      covered ? 'deny' : 'allow',
    );
  });

  test('a path that cannot be told is touched by a deny rule and covered by no allow rule', () => {
    expect(decision({ tool: 'Edit', access: edit, mode: 'bypassPermissions', deny: ['Edit(src/**)'] })).toBe(
      'deny',
    );
    expect(decision({ tool: 'Edit', access: edit, allow: ['Edit(src/**)'] })).toBe('ask');
  });
});

describe('names of tools', () => {
  test.each<[string, string, boolean, boolean]>([
    ['mcp__a', 'mcp__a__x', true, true],
    ['mcp__a', 'mcp__ab__x', false, false],
    ['mcp__a__*', 'mcp__a__x', true, true],
    ['mcp__*', 'mcp__a__x', false, true],
    ['*', 'Bash', false, true],
    ['Bash', 'BashOutput', false, false],
  ])('%s on %s: allows %s, denies %s', (rule, tool, allows, denies) => {
    expect(decision({ tool, access: run(), allow: [rule] })).toBe(allows ? 'allow' : 'ask');
    expect(decision({ tool, access: run(), mode: 'bypassPermissions', deny: [rule] })).toBe(
      denies ? 'deny' : 'allow',
    );
  });

  test.each(['', 'Bash(', 'Bash)x', 'a b', '(x)'])('%j is no rule', (text) => {
    expect(() => parseRule(text)).toThrow(/Not a permission rule/);
  });

  test('a rule of a star alone means the whole tool', () => {
    expect(parseRule('Bash(*)')).toEqual({ toolName: 'Bash' });
    expect(parseRule(' Bash ( git log:* ) ')).toEqual({ toolName: 'Bash', ruleContent: 'git log:*' });
  });
});
