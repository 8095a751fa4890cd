import { describe, expect, test } from 'vitest';
import { toolJsonSchema } from '../../src/schema/input-schema.js';
import { MemoryTaskStore } from '../../src/tasks/memory-store.js';
import { TaskCreateTool } from '../../src/tools/task-create.js';
import { TaskGetTool } from '../../src/tools/task-get.js';
import { TaskListTool } from '../../src/tools/task-list.js';
import { TaskUpdateTool } from '../../src/tools/task-update.js';
import { memoryList, taskContext } from './task-context.js';
import { send } from './todo-context.js';

describe('TaskGet', () => {
  test('shows a task with its open blockers and what it blocks', async () => {
    const tasks = await memoryList('one', 'two', 'three');
    await tasks.update('2', { addBlockedBy: ['1'], addBlocks: ['3'] });
    expect(await send(TaskGetTool, { taskId: '2' }, taskContext({ tasks }))).toEqual({
      data: {
        task: {
          id: '2',
          subject: 'two',
          description: 'about two',
          status: 'pending',
          blocks: ['3'],
          blockedBy: ['1'],
        },
      },
      content: 'Task #2: two\nStatus: pending\nDescription: about two\nBlocked by: #1\nBlocks: #3',
    });
  });

  test('leaves out the lines that have nothing to say', async () => {
    const result = await send(TaskGetTool, { taskId: '1' }, taskContext({ tasks: await memoryList('one') }));
    expect(result.content).toBe('Task #1: one\nStatus: pending\nDescription: about one');
  });

  test.each([{ taskId: 1 }, { id: '1' }, { task_id: 1 }])(
    'B31 takes %j for the task it means',
    async (input) => {
      const tasks = await memoryList('one');
      expect((await send(TaskGetTool, input, taskContext({ tasks }))).content).toContain('Task #1: one');
    },
  );

  test('says so when there is no such task', async () => {
    expect(await send(TaskGetTool, { taskId: '9' }, taskContext())).toEqual({
      data: { task: null },
      content: 'Task not found',
    });
  });

  test.each(['../../victim', '1/../2', '%2e%2e'])('B21 refuses the id %j', async (taskId) => {
    await expect(send(TaskGetTool, { taskId }, taskContext())).rejects.toMatchObject({ code: 'invalid_id' });
  });
});

describe('TaskList', () => {
  test('shows a line for each task with owner and open blockers', async () => {
    const tasks = await memoryList('one', 'two', 'three');
    await tasks.update('1', { owner: 'me', status: 'in_progress' });
    await tasks.update('3', { addBlockedBy: ['1', '2'] });
    const result = await send(TaskListTool, {}, taskContext({ tasks }));
    expect(result.content).toBe(
      '#1 [in_progress] one (me)\n#2 [pending] two\n#3 [pending] three [blocked by #1, #2]',
    );
    expect(result.data).toEqual({
      tasks: [
        { id: '1', subject: 'one', status: 'in_progress', owner: 'me', blockedBy: [] },
        { id: '2', subject: 'two', status: 'pending', blockedBy: [] },
        { id: '3', subject: 'three', status: 'pending', blockedBy: ['1', '2'] },
      ],
    });
  });

  test('of an empty list says so', async () => {
    expect(await send(TaskListTool, {}, taskContext())).toEqual({
      data: { tasks: [] },
      content: 'No tasks found',
    });
  });

  test('hides tasks with metadata._internal, which still block', async () => {
    const tasks = await memoryList('hidden', 'shown');
    await tasks.update('1', { metadata: { _internal: true } });
    await tasks.update('2', { addBlockedBy: ['1'] });
    expect((await send(TaskListTool, {}, taskContext({ tasks }))).content).toBe(
      '#2 [pending] shown [blocked by #1]',
    );
  });

  test('B38 neither view shows a completed blocker; the list keeps the edge', async () => {
    const tasks = await memoryList('one', 'two');
    const context = taskContext({ tasks });
    await tasks.update('2', { addBlockedBy: ['1'] });
    await tasks.update('1', { status: 'completed' });
    expect((await send(TaskListTool, {}, context)).content).toBe('#1 [completed] one\n#2 [pending] two');
    const shown = await send(TaskGetTool, { taskId: '2' }, context);
    expect(shown.content).not.toContain('Blocked by');
    expect(shown.data).toMatchObject({ task: { blockedBy: [] } });
    expect((await tasks.get('2'))?.blockedBy).toEqual(['1']);
  });

  test('B34 a long list is cut to what matters most and counts the rest', async () => {
    const tasks = new MemoryTaskStore();
    for (let number = 1; number <= 500; number += 1) {
      await tasks.create({
        subject: `step ${number} ${'of many '.repeat(4)}`,
        description: 'd'.repeat(2_000),
      });
      if (number <= 400) await tasks.update(String(number), { status: 'completed' });
    }
    await tasks.update('500', { status: 'in_progress' });
    const { content, data } = await send(TaskListTool, {}, taskContext({ tasks }));
    expect(content.length).toBeLessThan(10_500);
    expect(content).not.toContain('ddd');
    for (let number = 401; number <= 500; number += 1) expect(content).toContain(`#${number} [`);
    const lines = content.split('\n');
    const hidden = 500 - (lines.length - 1);
    expect(hidden).toBeGreaterThan(0);
    expect(lines.at(-1)).toContain(`${hidden} more that are not shown: ${hidden} completed`);
    expect(data).toMatchObject({ tasks: expect.objectContaining({ length: 500 }) });
  });

  test('B34 a subject of many lines or great length is one short line', async () => {
    const tasks = await memoryList(`first\nsecond ${'x'.repeat(5_000)}`);
    const { content } = await send(TaskListTool, {}, taskContext({ tasks }));
    expect(content).toMatch(/^#1 \[pending\] first second x+…$/);
    expect(content.length).toBeLessThan(200);
  });

  test('refuses keys it does not take, by name', async () => {
    const result = await send(TaskListTool, { status: 'pending' }, taskContext());
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('unexpected status') });
  });
});

const TOOLS = [TaskCreateTool, TaskGetTool, TaskUpdateTool, TaskListTool];

test('the four definitions together take at most 2.6 kB of a request', () => {
  const definitions = TOOLS.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: toolJsonSchema(name, inputSchema),
  }));
  expect(JSON.stringify(definitions).length).toBeLessThanOrEqual(2_600);
});

test('all four belong to the tasks mode, touch no files of the user, and may run side by side', () => {
  const parts = TOOLS.map((tool) => ({
    name: tool.name,
    planning: tool.planning,
    access: tool.access?.({} as never, taskContext()),
    readOnly: tool.isReadOnly?.({} as never),
    concurrent: tool.isConcurrencySafe ? tool.isConcurrencySafe({} as never) : tool.isReadOnly?.({} as never),
  }));
  const all = { planning: ['tasks'], access: { kind: 'none' }, concurrent: true };
  expect(parts).toEqual([
    { name: 'TaskCreate', readOnly: false, ...all },
    { name: 'TaskGet', readOnly: true, ...all },
    { name: 'TaskUpdate', readOnly: false, ...all },
    { name: 'TaskList', readOnly: true, ...all },
  ]);
});
