import { describe, expect, test } from 'vitest';
import type { TaskHooks } from '../../src/tasks/task-hooks.js';
import { noTaskHooks } from '../../src/tasks/task-hooks.js';
import type { ToolContext } from '../../src/tool.js';
import { TaskGetTool } from '../../src/tools/task-get.js';
import { TaskListTool } from '../../src/tools/task-list.js';
import { TaskUpdateTool } from '../../src/tools/task-update.js';
import { memoryList, taskContext } from './task-context.js';
import { send } from './todo-context.js';

const update = (input: unknown, context: ToolContext) => send(TaskUpdateTool, input, context);
const completed = (hook: TaskHooks['completed']): TaskHooks => ({ ...noTaskHooks, completed: hook });

describe('TaskUpdate', () => {
  test('names what really changed, and the change of status', async () => {
    const tasks = await memoryList('one');
    const input = { taskId: '1', subject: 'one', owner: 'me', status: 'in_progress', metadata: { a: 1 } };
    expect(await update(input, taskContext({ tasks }))).toEqual({
      data: {
        success: true,
        taskId: '1',
        updatedFields: ['owner', 'metadata', 'status'],
        statusChange: { from: 'pending', to: 'in_progress' },
      },
      content: 'Updated task #1 owner, metadata, status',
    });
  });

  test('says so when nothing changed', async () => {
    const context = taskContext({ tasks: await memoryList('one') });
    const result = await update({ taskId: '1', status: 'pending' }, context);
    expect(result.data).toEqual({ success: true, taskId: '1', updatedFields: [] });
    expect(result.content).toContain('was not changed');
  });

  test('deletes a task with the edges to it', async () => {
    const tasks = await memoryList('one', 'two');
    await tasks.update('1', { addBlocks: ['2'] });
    const result = await update({ taskId: '1', status: 'deleted' }, taskContext({ tasks }));
    expect(result).toEqual({
      data: { success: true, taskId: '1', updatedFields: ['deleted'] },
      content: 'Updated task #1 deleted',
    });
    expect(await tasks.list()).toMatchObject([{ id: '2', blockedBy: [] }]);
  });

  test.each([{ status: 'completed' }, { status: 'deleted' }, { addBlocks: ['1'] }])(
    'B30 of an unknown task with %j fails and makes none',
    async (change) => {
      const tasks = await memoryList('one');
      expect(await update({ taskId: '99', ...change }, taskContext({ tasks }))).toEqual({
        data: { success: false, taskId: '99', updatedFields: [], error: 'Task not found' },
        content: 'Task not found',
        isError: true,
      });
      expect(await tasks.list()).toHaveLength(1);
    },
  );

  test.each([
    { taskId: 1, status: 'completed' },
    { id: '1', status: 'completed' },
    { task_id: 1, status: 'completed' },
  ])('B31 takes %j for the task it means', async (input) => {
    const tasks = await memoryList('one');
    expect((await update(Object.freeze(input), taskContext({ tasks }))).content).toBe(
      'Updated task #1 status',
    );
  });

  test('B31 takes whole numbers as ids of edges', async () => {
    const tasks = await memoryList('one', 'two', 'three');
    await update({ taskId: '2', addBlockedBy: [1], addBlocks: [3] }, taskContext({ tasks }));
    expect(await tasks.get('2')).toMatchObject({ blockedBy: ['1'], blocks: ['3'] });
  });

  test.each([
    [{ taskNumber: 1, status: 'completed' }, ['taskId: missing', 'unexpected taskNumber']],
    [{ taskId: '1', status: 'done' }, ['status: received string "done"', '"completed"', '"deleted"']],
    [{ taskId: '1', id: '1', status: 'completed' }, ['unexpected id']],
    [{ taskId: '1', subject: ' ' }, ['subject: must not be blank']],
    [{ taskId: 1.5, ref: '1' }, ['taskId: expected string']],
  ])('B31 %j is an error with the place and the state that stays', async (input, says) => {
    const tasks = await memoryList('one');
    const result = await update(input, taskContext({ tasks }));
    expect(result.isError).toBe(true);
    for (const part of [...says, 'Task #1 is still pending.']) expect(result.content).toContain(part);
    expect(await tasks.get('1')).toMatchObject({ status: 'pending', subject: 'one' });
  });

  test('B31 an input that means no task says that none was changed', async () => {
    const result = await update({ status: 'completed', who: '../x' }, taskContext());
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('No task was changed.') });
  });

  test('B35 a refused edge is an error that names it, and nothing else of the call is applied', async () => {
    const tasks = await memoryList('one', 'two');
    await tasks.update('1', { addBlocks: ['2'] });
    const before = await tasks.list();
    const result = await update({ taskId: '1', subject: 'x', addBlockedBy: ['2'] }, taskContext({ tasks }));
    expect(result).toMatchObject({ isError: true, data: { success: false, updatedFields: [] } });
    expect(result.content).toContain('#1 blocked by #2');
    expect(await tasks.list()).toEqual(before);
  });
});

describe('several calls of one answer', () => {
  test('B30 reads show what the calls before them wrote', async () => {
    const tasks = await memoryList('one', 'two', 'three', 'four', 'five');
    const context = taskContext({
      tasks,
      taskHooks: completed(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return { blocked: false };
      }),
    });
    const ids = ['1', '2', '3', '4', '5'];
    const results = await Promise.all([
      ...ids.map((taskId) => update({ taskId, status: 'completed' }, context)),
      ...ids.map((taskId) => send(TaskGetTool, { taskId }, context)),
      send(TaskListTool, {}, context),
    ]);
    for (const shown of results.slice(5, 10)) expect(shown.content).toContain('Status: completed');
    expect(results.at(-1)?.content.match(/\[completed\]/g)).toHaveLength(5);
  });

  test('changes of the same task take effect in the order of the calls', async () => {
    const tasks = await memoryList('one');
    const slowly = completed(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { blocked: false };
    });
    const context = taskContext({ tasks, taskHooks: slowly });
    await Promise.all([
      update({ taskId: '1', status: 'completed', owner: 'first' }, context),
      update({ taskId: '1', status: 'in_progress', owner: 'second' }, context),
    ]);
    expect(await tasks.get('1')).toMatchObject({ status: 'in_progress', owner: 'second' });
  });

  test('an interrupt ends the wait for the calls before', async () => {
    const abort = new AbortController();
    const tasks = await memoryList('one');
    const stuck = completed(() => new Promise(() => undefined));
    const context = taskContext({ tasks, taskHooks: stuck, signal: abort.signal });
    void update({ taskId: '1', status: 'completed' }, context);
    const shown = send(TaskGetTool, { taskId: '1' }, context);
    abort.abort();
    await expect(shown).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('TaskCompleted hooks', () => {
  test('that block leave the task as it was and give their text', async () => {
    const feedback = 'TaskCompleted hook feedback:\nthe tests fail';
    const tasks = await memoryList('one');
    const context = taskContext({ tasks, taskHooks: completed(async () => ({ blocked: true, feedback })) });
    expect(await update({ taskId: '1', status: 'completed', subject: 'x' }, context)).toEqual({
      data: { success: false, taskId: '1', updatedFields: [], error: feedback },
      content: feedback,
      isError: true,
    });
    expect(await tasks.get('1')).toMatchObject({ status: 'pending', subject: 'one' });
  });

  test('are asked on a change to completed only, with the task as it was', async () => {
    const seen: string[] = [];
    const tasks = await memoryList('one');
    const context = taskContext({
      tasks,
      taskHooks: completed(async (task, listId) => {
        seen.push(`${listId} ${task.id} ${task.status}`);
        return { blocked: false };
      }),
    });
    for (const status of ['in_progress', 'completed', 'completed'])
      await update({ taskId: '1', status }, context);
    expect(seen).toEqual(['memory 1 in_progress']);
  });

  test('are not asked under a lock: they may change the list themselves', async () => {
    const tasks = await memoryList('one');
    const context = taskContext({
      tasks,
      taskHooks: completed(async (task) => {
        await tasks.update(task.id, { metadata: { checked: true } });
        return { blocked: false };
      }),
    });
    await update({ taskId: '1', status: 'completed' }, context);
    expect(await tasks.get('1')).toMatchObject({ status: 'completed', metadata: { checked: true } });
  });

  test('are asked, too, when another agent opens the task again between the look and the write', async () => {
    const tasks = await memoryList('one');
    await tasks.update('1', { status: 'completed' });
    let asked = 0;
    const realUpdate = tasks.update.bind(tasks);
    let interfered = false;
    tasks.update = async (id, change, options) => {
      if (!interfered) {
        interfered = true;
        await realUpdate(id, { status: 'pending' });
      }
      return realUpdate(id, change, options);
    };
    const taskHooks = completed(async () => {
      asked += 1;
      return { blocked: true, feedback: 'no' };
    });
    await update({ taskId: '1', status: 'completed' }, taskContext({ tasks, taskHooks }));
    expect(asked).toBe(1);
    expect((await tasks.get('1'))?.status).toBe('pending');
  });
});

describe('owners', () => {
  test.each([
    ['a free task started in a team gets the agent', { swarm: true, agentName: 'w' }, {}, 'w'],
    ['outside of a team nobody', { swarm: false, agentName: 'w' }, {}, undefined],
    ['an agent without a name nobody', { swarm: true }, {}, undefined],
    ['an owner in the call is obeyed', { swarm: true, agentName: 'w' }, { owner: 'x' }, 'x'],
    ['an owner of none is obeyed', { swarm: true, agentName: 'w' }, { owner: '' }, undefined],
  ])('%s', async (_, parts, extra, owner) => {
    const tasks = await memoryList('one');
    await update({ taskId: '1', status: 'in_progress', ...extra }, taskContext({ tasks, ...parts }));
    expect((await tasks.get('1'))?.owner).toBe(owner);
  });

  test('a task that has an owner keeps it when another agent starts it', async () => {
    const tasks = await memoryList('one');
    await tasks.update('1', { owner: 'first' });
    await update({ taskId: '1', status: 'in_progress' }, taskContext({ tasks, swarm: true, agentName: 'w' }));
    expect((await tasks.get('1'))?.owner).toBe('first');
  });

  test('an owner set between the look and the write is not written over', async () => {
    const tasks = await memoryList('one');
    const realUpdate = tasks.update.bind(tasks);
    let interfered = false;
    tasks.update = async (id, change, options) => {
      if (!interfered) {
        interfered = true;
        await realUpdate(id, { owner: 'first' });
      }
      return realUpdate(id, change, options);
    };
    await update({ taskId: '1', status: 'in_progress' }, taskContext({ tasks, swarm: true, agentName: 'w' }));
    expect(await tasks.get('1')).toMatchObject({ owner: 'first', status: 'in_progress' });
  });

  test('B42 the new owner is told once, and nobody of what they did themselves', async () => {
    const told: unknown[] = [];
    const tasks = await memoryList('one', 'two');
    const notifyOwner = async (message: unknown) => void told.push(message);
    const worker = taskContext({ tasks, notifyOwner, agentName: 'W', swarm: true });
    const leader = taskContext({ tasks, notifyOwner });
    await update({ taskId: '1', owner: 'W' }, worker);
    await update({ taskId: '2', owner: 'W' }, leader);
    await update({ taskId: '2', owner: 'W' }, leader);
    await update({ taskId: '1', subject: 'uno' }, worker);
    expect(told).toEqual([
      { taskId: '2', subject: 'two', description: 'about two', owner: 'W', assignedBy: 'team-lead' },
    ]);
  });

  test('a message that fails is said in the result, and the change stands', async () => {
    const tasks = await memoryList('one');
    const notifyOwner = () => Promise.reject(new Error('no inbox'));
    const result = await update({ taskId: '1', owner: 'W' }, taskContext({ tasks, notifyOwner }));
    expect(result).toMatchObject({ data: { success: true }, content: expect.stringContaining('no inbox') });
    expect((await tasks.get('1'))?.owner).toBe('W');
  });
});

describe('the verification nudge', () => {
  const verification = { enabled: true, agentTool: false };
  const close = async (subjects: string[], parts: Partial<ToolContext> = {}) => {
    const tasks = await memoryList(...subjects);
    const context = taskContext({ tasks, verification, ...parts });
    const ids = subjects.map((_, index) => String(index + 1));
    const results = await Promise.all(ids.map((taskId) => update({ taskId, status: 'completed' }, context)));
    return {
      context,
      tasks,
      nudges: results.filter(({ content }) => content.includes('none of them verified')).length,
    };
  };

  test('comes once when the last of three or more tasks is completed, also by calls side by side', async () => {
    const { nudges, tasks, context } = await close(['a', 'b', 'c']);
    expect(nudges).toBe(1);
    await tasks.update('2', { status: 'pending' });
    const again = await update({ taskId: '2', status: 'completed' }, context);
    expect(again.content).toContain('none of them verified');
    expect((await update({ taskId: '2', status: 'completed' }, context)).content).not.toContain('verified');
  });

  test.each([
    ['of fewer than three tasks', ['a', 'b'], {}],
    ['with a task that verifies', ['a', 'b', 'Verify all'], {}],
    ['in a sub-agent', ['a', 'b', 'c'], { agentId: 'sub' }],
    ['when it is off', ['a', 'b', 'c'], { verification: { enabled: false, agentTool: false } }],
  ])('does not come at the close of a list %s', async (_, subjects, parts) => {
    expect((await close(subjects, parts)).nudges).toBe(0);
  });

  test('looks at visible tasks only', async () => {
    const tasks = await memoryList('a', 'b', 'c', 'hidden');
    await tasks.update('4', { metadata: { _internal: true } });
    const context = taskContext({ tasks, verification });
    for (const taskId of ['1', '2']) await update({ taskId, status: 'completed' }, context);
    const last = await update({ taskId: '3', status: 'completed' }, context);
    expect(last.content).toContain('All 3 items are done');
  });
});
