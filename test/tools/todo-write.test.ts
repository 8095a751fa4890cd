import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolJsonSchema } from '../../src/schema/input-schema.js';
import { TodoLists } from '../../src/todo/todo-lists.js';
import { TodoWriteTool } from '../../src/tools/todo-write.js';
import { send, todoContext } from './todo-context.js';

const open = (content: string, status = 'pending') => ({ content, status, activeForm: content });
const write = (todos: unknown, context = todoContext()) => send(TodoWriteTool, { todos }, context);

describe('what a write does', () => {
  test('a write replaces the whole list and gives the old and the new one', async () => {
    const context = todoContext();
    await write([open('a')], context);
    const result = await write([open('b', 'in_progress')], context);
    expect(result.data).toEqual({ oldTodos: [open('a')], newTodos: [open('b', 'in_progress')] });
    expect(context.todos.read('session-1')).toEqual([open('b', 'in_progress')]);
  });

  test('the text shows the current list with its states, one line an item', async () => {
    const result = await write([open('a', 'completed'), open('b\nand c', 'in_progress'), open('d')]);
    expect(result.content).toBe(
      'Todo list, 1 of 3 completed:\n[completed] a\n[in_progress] b and c\n[pending] d',
    );
  });

  test('a list whose items are all completed is stored as empty, and newTodos is the list as submitted', async () => {
    const context = todoContext();
    const result = await write([open('a', 'completed')], context);
    expect(context.todos.read('session-1')).toEqual([]);
    expect(result.data).toEqual({ oldTodos: [], newTodos: [open('a', 'completed')] });
    expect(result.content).toContain('[completed] a');
  });

  test('an empty list is valid and clears', async () => {
    const context = todoContext();
    await write([open('a')], context);
    const result = await write([], context);
    expect(result.isError).toBeUndefined();
    expect(context.todos.read('session-1')).toEqual([]);
    expect(result.content).toContain('The todo list is empty.');
  });

  test('an item without activeForm takes its content for it', async () => {
    const result = await write([{ content: 'Run the tests', status: 'pending' }]);
    expect(result.data).toMatchObject({ newTodos: [{ activeForm: 'Run the tests' }] });
  });

  test('changing the returned list afterwards does not change the stored one', async () => {
    const context = todoContext();
    const todos = [{ ...open('a'), status: 'pending' as const }];
    const { newTodos } = context.todos.write('session-1', todos);
    Object.assign(newTodos[0] ?? {}, { content: 'changed' });
    todos.pop();
    expect(context.todos.read('session-1')).toEqual([open('a')]);
  });

  test('a long list is answered with a bounded text that counts what it leaves out', async () => {
    const todos = Array.from({ length: 5000 }, (_, index) => open(`${index} ${'x'.repeat(2000)}`));
    const result = await write(todos);
    expect(result.content.length).toBeLessThan(20_000);
    expect(result.content).toContain('… and 4900 more');
    expect(result.data).toMatchObject({ newTodos: { length: 5000 } });
  });
});

describe('lenient input', () => {
  test('B01 a list sent as a JSON string is stored as the array it spells', async () => {
    const context = todoContext();
    const seen: unknown[] = [];
    context.todos.subscribe((event) => seen.push(event.newTodos));
    const text = '[{"content":"Ship it","status":"pending","activeForm":"Shipping it"}]';
    const result = await write(text, context);
    const list = [{ content: 'Ship it', status: 'pending', activeForm: 'Shipping it' }];
    expect(result.isError).toBeUndefined();
    expect(context.todos.read('session-1')).toEqual(list);
    expect(seen).toEqual([list]);
  });

  test('B01 the repair gives hooks the array and leaves what the model sent as it was', () => {
    const input = { todos: '[{"content":"a","status":"pending"}]' };
    expect(TodoWriteTool.repair?.(input)).toEqual({ todos: [{ content: 'a', status: 'pending' }] });
    expect(input.todos).toBe('[{"content":"a","status":"pending"}]');
  });

  test('B01 a Python literal list is stored too', async () => {
    const context = todoContext();
    await write("[{'content': 'Don\\'t stop', 'status': 'pending', 'activeForm': 'Going on',},]", context);
    expect(context.todos.read('session-1')).toEqual([
      { content: "Don't stop", status: 'pending', activeForm: 'Going on' },
    ]);
  });

  test('B01 items sent as JSON strings inside an array are read as well', async () => {
    const context = todoContext();
    await write(['{"content":"a","status":"pending"}', open('b')], context);
    expect(context.todos.read('session-1')).toEqual([open('a'), open('b')]);
  });

  test.each([
    ['words', 'not json'],
    ['an object', '{"content":"x"}'],
    ['a list cut off in an item', '[{"content":"a","status":"pending"},{"content":"b"'],
    ['a list cut off after an item', "[{'content': 'a', 'status': 'pending'},"],
    ['code', 'process.exit(1)'],
  ])('B01 %s as text is refused by name and type, and the stored list stays', async (_, text) => {
    const context = todoContext();
    await write([open('kept')], context);
    const result = await write(text, context);
    expect(result.isError).toBe(true);
    expect(result.content).toContain('`todos`: expected array, received string');
    expect(result.content).toContain('The stored list is unchanged (1 item).');
    expect(context.todos.read('session-1')).toEqual([open('kept')]);
  });
});

describe('bad input', () => {
  test.each([
    ['empty', { ...open('x'), content: '' }, 'todos[1].content'],
    ['only spaces', { ...open('x'), content: '   ' }, 'todos[1].content'],
    ['absent', { status: 'pending', activeForm: 'x' }, 'todos[1].content'],
    ['blank in activeForm', { ...open('x'), activeForm: ' ' }, 'todos[1].activeForm'],
  ])(
    'B06 text that is %s is refused with its index, and nothing of the list is stored',
    async (_, bad, path) => {
      const context = todoContext();
      await write([open('kept')], context);
      const result = await write([open('good'), bad, open('good too')], context);
      expect(result.isError).toBe(true);
      expect(result.content).toContain(path);
      expect(context.todos.read('session-1')).toEqual([open('kept')]);
    },
  );

  test('an unknown status is refused with its path, what was received and what is allowed', async () => {
    const result = await write([open('a'), open('b'), open('c', 'done')]);
    expect(result.isError).toBe(true);
    expect(result.content).toContain('todos[2].status');
    expect(result.content).toContain('"done"');
    expect(result.content).toContain('"pending", "in_progress", "completed"');
  });

  test('unknown keys are refused, in the input and in an item', async () => {
    const item = await write([{ ...open('a'), priority: 'high' }]);
    const input = await send(TodoWriteTool, { todos: [], merge: true }, todoContext());
    expect([item.isError, input.isError]).toEqual([true, true]);
    expect(item.content).toContain('priority');
    expect(input.content).toContain('merge');
  });

  test('any JSON as input gives a result or a schema error, never a throw', async () => {
    const almost = fc.record(
      {
        todos: fc.oneof(
          fc.jsonValue(),
          fc.string(),
          fc.array(
            fc.record(
              {
                content: fc.oneof(fc.string(), fc.jsonValue()),
                status: fc.constantFrom('pending', 'in_progress', 'completed', 'x'),
                activeForm: fc.string(),
              },
              { requiredKeys: [] },
            ),
          ),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), almost), async (input) => {
        const context = todoContext();
        const result = await send(TodoWriteTool, input, context);
        if (result.isError) {
          expect(result.content).toContain('TodoWrite');
          expect(context.todos.read('session-1')).toEqual([]);
        } else expect(Object.keys(result.data ?? {})).toEqual(['oldTodos', 'newTodos']);
      }),
    );
  });
});

describe('what the model is told', () => {
  test('B04 two items in progress are accepted and stored, with a hint', async () => {
    const context = todoContext();
    const result = await write([open('a', 'in_progress'), open('b', 'in_progress')], context);
    expect(result.isError).toBeUndefined();
    expect(context.todos.read('session-1')).toHaveLength(2);
    expect(result.content).toContain('2 items are in progress');
  });

  test('B07 a write that drops open items says how many and which', async () => {
    const context = todoContext();
    const ten = Array.from({ length: 10 }, (_, index) => open(`step ${index + 1}`));
    await write(ten, context);
    const result = await write([open('step 3', 'in_progress')], context);
    expect(result.isError).toBeUndefined();
    expect(result.data).toMatchObject({ oldTodos: { length: 10 }, newTodos: { length: 1 } });
    expect(result.content).toContain('9 unfinished items');
    expect(result.content).toContain('- [pending] step 10');
    expect(result.content).not.toContain('- [pending] step 3');
  });

  test('B07 many dropped items are named up to a cap, with the count of the rest', async () => {
    const context = todoContext();
    await write(
      Array.from({ length: 40 }, (_, index) => open(`step ${index}`)),
      context,
    );
    const result = await write([], context);
    expect(result.content).toContain('40 unfinished items');
    expect(result.content.match(/^- /gm)).toHaveLength(10);
    expect(result.content).toContain('… and 30 more');
  });

  test('B07 finished items may go, and changed states, case and spaces are no loss', async () => {
    const context = todoContext();
    await write([open('done', 'completed'), open('Run  tests'), open('b')], context);
    const result = await write([open('run tests', 'completed'), open('b', 'in_progress')], context);
    expect(result.content).not.toContain('unfinished');
  });

  test('B07 of two equal open items the one that vanished is counted', async () => {
    const context = todoContext();
    await write([open('again'), open('again')], context);
    expect((await write([open('again')], context)).content).toContain('1 unfinished item was');
  });
});

describe('whose list it is', () => {
  test('B09 two sessions and a sub-agent each have a list of their own', async () => {
    const todos = new TodoLists();
    const parent = todoContext({ todos, sessionId: 's' });
    await write([open('1'), open('2'), open('3')], parent);
    await write([open('own')], todoContext({ todos, sessionId: 's', agentId: 'agent-1' }));
    expect(todos.read('s').map((todo) => todo.content)).toEqual(['1', '2', '3']);
    expect(todos.read('agent-1').map((todo) => todo.content)).toEqual(['own']);
    expect(todos.read('another session')).toEqual([]);
    todos.forget('agent-1');
    expect([todos.read('agent-1').length, todos.read('s').length]).toEqual([0, 3]);
  });

  test('B03 whole-list writes do not run beside each other, and the last block is final', async () => {
    const context = todoContext();
    const input = { todos: [] };
    expect(TodoWriteTool.isConcurrencySafe?.(input)).toBe(false);
    expect(TodoWriteTool.isReadOnly?.(input)).toBe(false);
    // Even when both are started at once the effect follows the order of the starts.
    await Promise.all([
      write([open('a1'), open('a2')], context),
      write([open('b1'), open('b2'), open('b3')], context),
    ]);
    expect(context.todos.read('session-1').map((todo) => todo.content)).toEqual(['b1', 'b2', 'b3']);
  });
});

describe('verification nudge', () => {
  const verification = { enabled: true, agentTool: true };
  const done = (...names: string[]) => names.map((name) => open(name, 'completed'));

  test('a write that closes three items asks for a check, once for each closing', async () => {
    const context = todoContext({ verification });
    expect((await write(done('a', 'b', 'c'), context)).content).toContain('sub-agent');
    expect((await write(done('a', 'b', 'c'), context)).content).not.toContain('sub-agent');
    await write([open('d'), open('e'), open('f')], context);
    expect((await write(done('d', 'e', 'f'), context)).content).toContain('sub-agent');
  });

  test.each([
    ['a sub-agent', { verification, agentId: 'agent-1' }],
    ['a host that turned it off', { verification: { enabled: false, agentTool: true } }],
  ])('%s is not asked', async (_, parts) => {
    const result = await write(done('a', 'b', 'c'), todoContext(parts));
    expect(result.content).not.toMatch(/independent/i);
  });
});

test('the definition is small: at most 1.2 kB with its schema', () => {
  const definition = {
    name: TodoWriteTool.name,
    description: TodoWriteTool.description,
    input_schema: toolJsonSchema('TodoWrite', TodoWriteTool.inputSchema),
  };
  expect(JSON.stringify(definition).length).toBeLessThanOrEqual(1200);
  expect(TodoWriteTool.planning).toEqual(['todo']);
  expect(TodoWriteTool.access?.({ todos: [] }, todoContext())).toEqual({ kind: 'none' });
});
