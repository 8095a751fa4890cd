import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TodoTool } from '../../src/tools/todo.js';
import { send, todoContext } from './todo-context.js';

test('items are added, updated and viewed, one step a call', async () => {
  const context = todoContext();
  await send(TodoTool, { action: 'add', content: 'Read the code' }, context);
  const added = await send(TodoTool, { action: 'add', content: 'Run the tests' }, context);
  expect(added.data).toMatchObject({ id: 2, oldTodos: { length: 1 }, newTodos: { length: 2 } });
  await send(TodoTool, { action: 'update', todo_id: '1', status: 'completed' }, context);
  await send(TodoTool, { action: 'update', todo_id: 2, status: 'in_progress' }, context);
  const view = await send(TodoTool, { action: 'view' }, context);
  expect(view.content).toBe('● 1. Read the code\n◐ 2. Run the tests');
  expect(context.todos.read('session-1')).toHaveLength(2);
});

test('an item can be added in progress, which sets the other one back', async () => {
  const context = todoContext();
  await send(TodoTool, { action: 'add', content: 'a', status: 'in_progress' }, context);
  const result = await send(TodoTool, { action: 'add', content: 'b', status: 'in_progress' }, context);
  expect(result.content).toBe('○ 1. a\n◐ 2. b');
});

test.each([
  [{ action: 'add' }, 'add needs content'],
  [{ action: 'add', content: '  ' }, 'add needs content'],
  [{ action: 'update' }, 'update needs todo_id and status'],
  [{ action: 'update', todo_id: 1 }, 'update needs status'],
  [{ action: 'update', status: 'completed', content: '' }, 'update needs todo_id'],
  [{ action: 'update', todo_id: 9, status: 'completed' }, 'no todo 9; known ids: 1'],
  [{ action: 'update', todo_id: 'one', status: 'completed' }, 'todo_id'],
  [{ action: 'remove', todo_id: 1 }, 'action'],
])('%j is refused with what is missing or unknown, and the list stays', async (input, text) => {
  const context = todoContext();
  await send(TodoTool, { action: 'add', content: 'kept' }, context);
  const result = await send(TodoTool, input, context);
  expect(result.isError).toBe(true);
  expect(result.content).toContain(text);
  expect(context.todos.read('session-1')).toMatchObject([{ content: 'kept', status: 'pending' }]);
});

test('an update that brings another text says that the text stays', async () => {
  const context = todoContext();
  await send(TodoTool, { action: 'add', content: 'a' }, context);
  const input = { action: 'update', todo_id: 1, status: 'in_progress', content: 'b' };
  const result = await send(TodoTool, input, context);
  expect(result.content).toContain('◐ 1. a');
  expect(result.content).toContain('update changes the status only');
});

test('the update that closes three items brings the verification nudge', async () => {
  const context = todoContext({ verification: { enabled: true, agentTool: false } });
  for (const content of ['a', 'b', 'c']) await send(TodoTool, { action: 'add', content }, context);
  const texts: string[] = [];
  for (const id of [1, 2, 3]) {
    const result = await send(TodoTool, { action: 'update', todo_id: id, status: 'completed' }, context);
    texts.push(result.content);
  }
  expect(texts.map((text) => text.includes('none of them verified'))).toEqual([false, false, true]);
  expect(context.todos.read('session-1')).toEqual([]);
});

test('it is offered on request only, in V1 only, and a view is no write', () => {
  expect([TodoTool.optIn, TodoTool.planning]).toEqual([true, ['todo']]);
  expect(TodoTool.isReadOnly?.({ action: 'view' })).toBe(true);
  expect(TodoTool.isReadOnly?.({ action: 'add', content: 'a' })).toBe(false);
});

test('any JSON as input gives a result or an error for the model, never a throw', async () => {
  const almost = fc.record(
    {
      action: fc.constantFrom('add', 'update', 'view', 'x'),
      content: fc.oneof(fc.string(), fc.jsonValue()),
      todo_id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      status: fc.constantFrom('pending', 'in_progress', 'completed', null),
    },
    { requiredKeys: ['action'] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.jsonValue(), almost), { minLength: 1, maxLength: 8 }),
      async (inputs) => {
        const context = todoContext();
        for (const input of inputs) {
          const result = await send(TodoTool, input, context);
          expect(result.content).not.toBe('');
        }
        const working = context.todos.read('session-1').filter((todo) => todo.status === 'in_progress');
        expect(working.length).toBeLessThanOrEqual(1);
      },
    ),
  );
});
