import { expect, test } from 'vitest';
import { matches } from '../../src/hooks/matcher.js';

test.each<[string | undefined, string, boolean]>([
  [undefined, 'Bash', true],
  ['', 'Bash', true],
  ['*', 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['bash', 'Bash', false],
  ['Edit|Write', 'Write', true],
  ['Edit, Write', 'Write', true],
  ['Edit|Write', 'WriteAll', false],
  ['mcp__a-b__x', 'mcp__a-b__x', true],
  ['mcp__.*', 'mcp__a__x', true],
  ['Task.*', 'TaskCreate', true],
  ['^Edit$', 'Edit', true],
  ['^Edit$', 'NotebookEdit', false],
  ['Edit.?', 'NotebookEdit', true],
])('%j takes %s: %s', (matcher, name, taken) => {
  expect(matches(matcher, name)).toBe(taken);
});

test('a broken regular expression throws', () => {
  expect(() => matches('Edit(', 'Edit')).toThrow(SyntaxError);
});
