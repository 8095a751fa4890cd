import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtinTools, chooseTools, explainMissing, getTools, isEnabled } from '../src/registry.js';
import { defineTool } from '../src/tool.js';

const names = (input: Parameters<typeof getTools>[0]) =>
  getTools({ env: {}, ...input }).map((tool) => tool.name);
const TASKS = ['TaskCreate', 'TaskGet', 'TaskUpdate', 'TaskList'];
const CODING = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'TaskOutput', 'TaskStop'];

describe('exactly one planning set is offered, by the gate or by the host', () => {
  test.each([
    [{}, ['TodoWrite']],
    [{ interactive: true }, TASKS],
    [{ env: { CLAUDE_CODE_ENABLE_TASKS: '1' } }, TASKS],
    [{ env: { CLAUDE_CODE_ENABLE_TASKS: '0' }, interactive: true }, ['TodoWrite']],
    [{ planning: 'tasks' as const }, TASKS],
    [{ planning: 'todo' as const, interactive: true }, ['TodoWrite']],
    [{ planning: 'off' as const, interactive: true }, []],
  ])('%j', (input, planning) => {
    expect(names(input)).toEqual([...CODING, ...planning]);
  });

  test('both sides are exact inverses: TodoWrite is registered always and enabled only without V2', () => {
    for (const mode of ['todo', 'tasks'] as const) {
      const registered = builtinTools(mode);
      const todoWrite = registered.find((tool) => tool.name === 'TodoWrite');
      const task = registered.find((tool) => tool.name === 'TaskCreate');
      expect(todoWrite && isEnabled(todoWrite, mode)).toBe(mode === 'todo');
      expect(task !== undefined && isEnabled(task, mode)).toBe(mode === 'tasks');
    }
  });

  test('the names on the wire are unique, old names included', () => {
    for (const mode of ['todo', 'tasks'] as const) {
      const all = builtinTools(mode).flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe('the host chooses', () => {
  test('by name, none, and what needs asking for', () => {
    expect(names({ tools: ['Read', 'Todo'] })).toEqual(['Read', 'Todo']);
    expect(names({ tools: [] })).toEqual([]);
    expect(names({ tools: { type: 'preset' } })).toEqual([...CODING, 'TodoWrite']);
  });

  test('by an old name', () => {
    expect(names({ tools: ['KillShell'] })).toEqual(['TaskStop']);
  });

  test('a planning tool that is named in allowedTools is offered too', () => {
    expect(names({ tools: ['Read'], allowedTools: ['TodoWrite', 'Bash(ls:*)'] })).toEqual([
      'Read',
      'TodoWrite',
    ]);
    expect(names({ allowedTools: ['Todo'] })).toContain('Todo');
  });

  test('disallowedTools takes tools out by a bare name, by a server, by a star, and not by a rule with a specifier', () => {
    const extra = ['mcp__a__x', 'mcp__a__y', 'mcp__b__x'].map((name) =>
      defineTool({
        name,
        description: '',
        inputSchema: z.strictObject({}),
        call: async () => ({ data: 1, content: '1' }),
      }),
    );
    const left = names({
      tools: ['Read', 'Bash', 'Edit'],
      extra,
      disallowedTools: ['Edit', 'Bash(rm:*)', 'mcp__a', 'mcp__b__*'],
    });
    expect(left).toEqual(['Read', 'Bash']);
  });
});

describe('a tool that was named in vain is told once, by name', () => {
  const warnings = (input: Parameters<typeof chooseTools>[0]) => chooseTools({ env: {}, ...input }).warnings;

  test('with the switch that would bring it', () => {
    expect(warnings({ tools: ['Read', 'TaskCreate'] })).toEqual([
      "TaskCreate is not offered: the planning mode is 'todo' (non-interactive session). " +
        "CLAUDE_CODE_ENABLE_TASKS=1 or options.planning = 'tasks' would bring it.",
    ]);
    expect(warnings({ allowedTools: ['TodoWrite', 'TodoWrite'], planning: 'tasks' })).toEqual([
      "TodoWrite is not offered: the planning mode is 'tasks' (options.planning = 'tasks'). " +
        "CLAUDE_CODE_ENABLE_TASKS=0 or options.planning = 'todo' would bring it.",
    ]);
  });

  test('as one that does not exist', () => {
    expect(
      warnings({ tools: ['Read', 'WebSearch'], allowedTools: ['Fly(away)', 'mcp__a__x', 'Bash(ls)'] }),
    ).toEqual(['These tools do not exist in this version: WebSearch, Fly.']);
  });

  test('and nothing is said when nothing was named', () => {
    expect(warnings({})).toEqual([]);
    expect(warnings({ planning: 'off' })).toEqual([]);
    expect(explainMissing('Read', { mode: 'todo', reason: '' })).toBeUndefined();
  });
});
