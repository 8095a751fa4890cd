import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { clipToWidth, renderTodos } from '../../src/todo/render-todos.js';
import type { Todo } from '../../src/todo/todo.js';

const todos: Todo[] = [
  { content: 'Read the code', status: 'completed', activeForm: 'Reading the code' },
  { content: 'Run the tests', status: 'in_progress', activeForm: 'Running the tests' },
  { content: 'Write it down', status: 'pending', activeForm: 'Writing it down' },
];

test('the heading is Current Tasks, and each state has its mark', () => {
  expect(renderTodos(todos)).toBe('Current Tasks\n✓ Read the code\n▸ Running the tests\n  Write it down');
});

test('colour comes only when it is asked for, and changes no character', () => {
  expect(renderTodos(todos, { color: false })).not.toContain('\u001b');
  const colored = renderTodos(todos, { color: true });
  expect(colored).toContain('\u001b[');
  expect(stripVTControlCharacters(colored)).toBe(renderTodos(todos));
});

test('an empty list has no heading', () => {
  expect(renderTodos([])).toBe('');
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['日本語の計画', 7, '日本語…'],
  ['日本語の計画', 8, '日本語…'],
  ['👩‍👩‍👧 family', 4, '👩‍👩‍👧 …'],
  ['a\nb\tc', 10, 'a b c'],
  ['\u001b[31mred\u001b[0m\u001b]0;title\u0007', 20, 'red'],
  ['a\u202Ecba', 20, 'a cba'],
  ['x', 0, ''],
])('%j in %i columns is %j', (text, width, shown) => {
  expect(clipToWidth(text, width)).toBe(shown);
});

test('no line is wider than the terminal', () => {
  const long = todos.map((todo) => ({
    ...todo,
    content: todo.content.repeat(9),
    activeForm: 'x'.repeat(99),
  }));
  const lines = renderTodos(long, { width: 12 }).split('\n');
  expect(lines.map((line) => line.length)).toEqual([12, 12, 12, 12]);
});
