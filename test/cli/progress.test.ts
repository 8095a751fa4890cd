import { describe, expect, test } from 'vitest';
import { wantsColour } from '../../src/cli/colour.js';
import { progressReporter } from '../../src/cli/progress.js';
import type { SDKMessage } from '../../src/protocol/messages.js';
import { successResult } from './results.js';

function call(id: string, name: string, input: unknown): SDKMessage {
  return {
    type: 'assistant',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      container: null,
      content: [{ type: 'tool_use', id, name, input, caller: { type: 'direct' } }],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      diagnostics: null,
      usage: successResult().usage,
    },
    parent_tool_use_id: null,
    timestamp: '',
    uuid: 'u',
    session_id: 's',
  };
}

function answer(id: string, content: string, structured: unknown, isError = false): SDKMessage {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
    },
    parent_tool_use_id: null,
    tool_use_result: structured,
  };
}

describe('one short line a call', () => {
  test('a call is known by its telling argument, on one line and no wider than the terminal', () => {
    const show = progressReporter({ colour: false, width: 30 });
    expect(show(call('1', 'Bash', { description: 'tests', command: 'npm test\nrm -rf x' }))).toBe(
      '· Bash npm test rm -rf x\n',
    );
    const long = show(call('2', 'Read', { file_path: `/${'a'.repeat(60)}` }));
    expect(long.trimEnd()).toHaveLength(30);
  });

  test('what the model writes cannot steer the terminal', () => {
    const show = progressReporter({ colour: false });
    const line = show(call('1', 'Bash', { command: '\u001b[2J\u009b1mgit\nstatus' }));
    expect(line).toMatch(/^· Bash \P{Cc}*status\n$/u);
  });

  test('a failed call shows the first line of its error', () => {
    const show = progressReporter({ colour: false });
    show(call('1', 'Bash', { command: 'false' }));
    expect(show(answer('1', 'exit code 1\nmore', {}, true))).toBe('! Bash: exit code 1\n');
    show(call('2', 'Read', {}));
    expect(show(answer('2', 'text of the file', {}))).toBe('');
  });

  test('the todo list is drawn whole when it was written', () => {
    const show = progressReporter({ colour: false });
    expect(show(call('1', 'TodoWrite', { todos: [] }))).toBe('');
    const newTodos = [
      { content: 'Plan', status: 'completed', activeForm: 'Planning' },
      { content: 'Work', status: 'in_progress', activeForm: 'Working' },
    ];
    expect(show(answer('1', '…', { oldTodos: [], newTodos }))).toBe('Current Tasks\n✓ Plan\n▸ Working\n');
  });

  test('a written task shows its line, a read one does not', () => {
    const show = progressReporter({ colour: false });
    expect(show(call('1', 'TaskCreate', { subject: 'Plan', description: 'x' }))).toBe('· TaskCreate Plan\n');
    expect(show(answer('1', 'Task #1 created successfully: Plan', {}))).toBe(
      '  Task #1 created successfully: Plan\n',
    );
    show(call('2', 'TaskList', {}));
    expect(show(answer('2', '#1 [pending] Plan', {}))).toBe('');
  });

  test('any message gives a text, never a throw', () => {
    const show = progressReporter({ colour: true });
    for (const input of [null, 'x', [], { command: 7 }])
      expect(show(call('1', 'Bash', input))).toContain('Bash');
    for (const structured of [null, 'x', { newTodos: 'x' }, { newTodos: [{}] }]) {
      expect(show(answer('9', 'x', structured))).toBe('');
    }
    expect(show(successResult())).toBe('');
  });
});

test.each<[Record<string, string>, boolean, boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  [{ TERM: 'dumb' }, true, false],
])('with %j and a terminal: %s, colour is %s', (env, isTerminal, colour) => {
  expect(wantsColour(env, isTerminal)).toBe(colour);
});
