import { describe, expect, test } from 'vitest';
import type { TaskHooks } from '../../src/tasks/task-hooks.js';
import { noTaskHooks } from '../../src/tasks/task-hooks.js';
import { TaskCreateTool } from '../../src/tools/task-create.js';
import { TaskListTool } from '../../src/tools/task-list.js';
import { memoryList, taskContext } from './task-context.js';
import { send } from './todo-context.js';

const create = (input: unknown, context = taskContext()) => send(TaskCreateTool, input, context);
const created = (hook: TaskHooks['created']): TaskHooks => ({ ...noTaskHooks, created: hook });

describe('TaskCreate', () => {
  test('makes a pending task without owner and edges, and answers with its number', async () => {
    const context = taskContext();
    const result = await create({ subject: 'one', description: 'd', metadata: { a: 1 } }, context);
    expect(result).toEqual({
      data: { task: { id: '1', subject: 'one', description: 'd' } },
      content: 'Task #1 created successfully: one',
    });
    expect(await context.tasks.get('1')).toEqual({
      id: '1',
      subject: 'one',
      description: 'd',
      status: 'pending',
      blocks: [],
      blockedBy: [],
      metadata: { a: 1 },
    });
  });

  test('takes active_form for activeForm and leaves its argument as it was', async () => {
    const context = taskContext();
    const input = Object.freeze({ subject: 's', description: '', active_form: 'doing' });
    expect((await create(input, context)).isError).toBeUndefined();
    expect((await context.tasks.get('1'))?.activeForm).toBe('doing');
  });

  test.each([
    [{ status: 'in_progress' }, 'status'],
    [{ owner: 'me' }, 'owner'],
    [{ blockedBy: ['1'] }, 'blockedBy'],
    [{ id: '7' }, 'id'],
  ])('B31 refuses %j by name, says what to call instead, and makes nothing', async (extra, name) => {
    const context = taskContext();
    const result = await create({ subject: 's', description: '', ...extra }, context);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(`unexpected ${name}`);
    if (name !== 'id') expect(result.content).toContain('call TaskUpdate with its taskId');
    expect(await context.tasks.list()).toEqual([]);
  });

  test.each([
    [{ description: 'd' }, 'subject: missing'],
    [{ subject: 's' }, 'description: missing'],
    [{ subject: '  ', description: 'd' }, 'subject: must not be blank'],
    [{ subject: 's', description: 'd', metadata: [] }, 'metadata: expected record'],
    ['text', 'expected object'],
    [null, 'expected object'],
    [[], 'expected object'],
  ])('the input %j is an error that names the place', async (input, says) => {
    const context = taskContext();
    const result = await create(input, context);
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(says) });
    expect(await context.tasks.list()).toEqual([]);
  });

  test('several calls of one answer are numbered in their order', async () => {
    const context = taskContext();
    const subjects = Array.from({ length: 10 }, (_, index) => `step ${index + 1}`);
    const results = await Promise.all(
      subjects.map((subject) => create({ subject, description: '' }, context)),
    );
    expect(results.map((result) => result.content)).toEqual(
      subjects.map((subject, index) => `Task #${index + 1} created successfully: ${subject}`),
    );
  });
});

describe('TaskCreated hooks', () => {
  test('are asked once, when the task is on the list, with the id of the list', async () => {
    const seen: unknown[] = [];
    const tasks = await memoryList();
    const taskHooks = created(async (task, listId) => {
      seen.push({ task, listId, stored: await tasks.get(task.id) });
      return { blocked: false };
    });
    await create({ subject: 's', description: '' }, taskContext({ tasks, taskHooks }));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ task: { id: '1' }, listId: tasks.listId, stored: { id: '1' } });
  });

  test('that block remove the task, spend its number and give their text as an error', async () => {
    const feedback = 'TaskCreated hook feedback:\nno more plans';
    const tasks = await memoryList();
    const blocking = taskContext({ tasks, taskHooks: created(async () => ({ blocked: true, feedback })) });
    expect(await create({ subject: 's', description: '' }, blocking)).toEqual({
      data: { task: null },
      content: feedback,
      isError: true,
    });
    expect(await tasks.list()).toEqual([]);
    expect((await create({ subject: 's', description: '' }, taskContext({ tasks }))).content).toContain('#2');
  });

  test('that block after an interrupt leave no task either', async () => {
    const abort = new AbortController();
    const tasks = await memoryList();
    const taskHooks = created(async () => {
      abort.abort();
      return { blocked: true, feedback: 'no' };
    });
    await create({ subject: 's', description: '' }, taskContext({ tasks, taskHooks, signal: abort.signal }));
    expect(await tasks.list()).toEqual([]);
  });

  test('that throw leave no task in between', async () => {
    const tasks = await memoryList();
    const taskHooks = created(() => Promise.reject(new Error('crashed')));
    const result = await create({ subject: 's', description: '' }, taskContext({ tasks, taskHooks }));
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('crashed') });
    expect(await tasks.list()).toEqual([]);
  });

  test('run before a list of the same answer is shown', async () => {
    const tasks = await memoryList();
    const taskHooks = created(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { blocked: true, feedback: 'no' };
    });
    const context = taskContext({ tasks, taskHooks });
    const answer = [create({ subject: 's', description: '' }, context), send(TaskListTool, {}, context)];
    const [, listed] = await Promise.all(answer);
    expect(listed?.content).toBe('No tasks found');
  });
});
