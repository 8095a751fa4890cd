import { describe, expect, test } from 'vitest';
import { WaymarkError } from '../../src/errors.js';
import type { Todo } from '../../src/todo/todo.js';
import { TodoLists } from '../../src/todo/todo-lists.js';
import { TodoManager } from '../../src/todo/todo-manager.js';

const todo = (content: string, status: Todo['status'] = 'pending'): Todo => ({
  content,
  status,
  activeForm: content,
});

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof WaymarkError) return error.code;
    throw error;
  }
  return 'no throw';
}

test('ids count from 1, and the view shows an icon a state', () => {
  const manager = new TodoManager();
  expect(manager.view()).toBe('No todos.');
  expect(['a', 'b\nb', 'c'].map((content) => manager.add(content))).toEqual([1, 2, 3]);
  manager.update(1, 'completed');
  manager.update(2, 'in_progress');
  expect(manager.view()).toBe('● 1. a\n◐ 2. b b\n○ 3. c');
});

test('putting one item in progress sets any other back to pending', () => {
  const lists = new TodoLists();
  lists.write('k', [todo('a', 'in_progress'), todo('b', 'in_progress'), todo('c')]);
  new TodoManager({ lists, key: 'k' }).update(3, 'in_progress');
  expect(lists.read('k').map((item) => item.status)).toEqual(['pending', 'pending', 'in_progress']);
});

test('a blank text, a wrong status and an unknown id are refused by code, and nothing changes', () => {
  const manager = new TodoManager();
  manager.add('a');
  const wrong = JSON.parse('"done"') as Todo['status'];
  expect(codeOf(() => manager.add(' \n'))).toBe('invalid_input');
  expect(codeOf(() => manager.update(1, wrong))).toBe('invalid_input');
  expect(codeOf(() => manager.update(2, 'completed'))).toBe('todo_not_found');
  expect(manager.view()).toBe('○ 1. a');
});

test('managers of one list and key agree, and other keys are other lists', () => {
  const lists = new TodoLists();
  new TodoManager({ lists, key: 'k' }).add('a');
  expect(new TodoManager({ lists, key: 'k' }).add('b')).toBe(2);
  expect(new TodoManager({ lists, key: 'other' }).view()).toBe('No todos.');
  expect(new TodoManager().add('x')).toBe(1);
});

test('equal texts keep ids of their own', () => {
  const manager = new TodoManager();
  manager.add('again');
  manager.add('again');
  manager.update(2, 'completed');
  expect(manager.view()).toBe('○ 1. again\n● 2. again');
});

describe('a finished list', () => {
  test('is stored as empty, stays in view, and an added item continues it with the next id', () => {
    const lists = new TodoLists();
    const manager = new TodoManager({ lists, key: 'k' });
    manager.add('a');
    expect(manager.update(1, 'completed').closedNow).toBe(true);
    expect(lists.read('k')).toEqual([]);
    expect(manager.view()).toBe('● 1. a');
    expect(manager.add('b')).toBe(2);
    expect(lists.read('k')).toEqual([todo('a', 'completed'), todo('b')]);
  });
});

describe('when a whole-list write comes in between', () => {
  test('kept texts keep their ids, new ones get the next, and gone ids are never given again', () => {
    const lists = new TodoLists();
    const manager = new TodoManager({ lists, key: 'k' });
    for (const content of ['a', 'b', 'c']) manager.add(content);
    lists.write('k', [todo('d'), todo('b', 'in_progress')]);
    expect(manager.view()).toBe('○ 4. d\n◐ 2. b');
    expect(codeOf(() => manager.update(3, 'completed'))).toBe('todo_not_found');
    lists.write('k', []);
    expect(manager.add('c')).toBe(5);
  });
});

describe('listeners of the lists', () => {
  test('hear each write with the list as submitted, until they are removed', () => {
    const lists = new TodoLists();
    const heard: unknown[] = [];
    const stop = lists.subscribe((event) => heard.push(event));
    lists.write('k', [todo('a', 'completed')]);
    stop();
    lists.write('k', []);
    expect(heard).toEqual([{ key: 'k', oldTodos: [], newTodos: [todo('a', 'completed')] }]);
  });

  test('that throw do not fail the write and do not keep others from hearing; a warning names the fault', async () => {
    const lists = new TodoLists();
    const warned = new Promise<Error>((done) => process.once('warning', done));
    const heard: string[] = [];
    lists.subscribe(() => {
      throw new Error('broken listener');
    });
    lists.subscribe((event) => heard.push(event.key));
    lists.write('k', [todo('a')]);
    expect(lists.read('k')).toHaveLength(1);
    expect(heard).toEqual(['k']);
    expect((await warned).message).toContain('broken listener');
  });
});
