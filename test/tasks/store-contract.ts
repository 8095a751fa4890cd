import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WaymarkError } from '../../src/errors.js';
import type { TaskEvent, TaskStore } from '../../src/tasks/task-store.js';

export interface OpenedStore {
  store: TaskStore;
  dispose(): Promise<void> | void;
}

/** What every implementation of `TaskStore` must do. Call it in a test file with a way to open a fresh list. */
export function describeTaskStore(name: string, open: () => Promise<OpenedStore> | OpenedStore): void {
  describe(name, () => {
    let opened: OpenedStore;
    let store: TaskStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.dispose();
    });

    const add = (subject = 'a task') => store.create({ subject, description: '' });
    const addMany = async (count: number) => {
      for (let number = 1; number <= count; number += 1) await add(`task ${number}`);
    };
    const ids = async () => (await store.list()).map((task) => task.id);
    const edges = async (id: string) => {
      const task = await store.get(id);
      return { blocks: task?.blocks, blockedBy: task?.blockedBy };
    };

    describe('create, get and list', () => {
      test('an empty list has no tasks and makes none by being read', async () => {
        expect(await store.list()).toEqual([]);
        expect(await store.get('1')).toBeNull();
        expect(await store.list()).toEqual([]);
      });

      test('a new task is pending, without owner and edges, and can be read back', async () => {
        const task = await store.create({
          subject: 'one',
          description: 'd',
          activeForm: 'doing',
          metadata: { a: { b: 1 } },
        });
        const expected = {
          id: '1',
          subject: 'one',
          description: 'd',
          activeForm: 'doing',
          status: 'pending',
          blocks: [],
          blockedBy: [],
          metadata: { a: { b: 1 } },
        };
        expect(task).toEqual(expected);
        expect(await store.get('1')).toEqual(expected);
        expect(await store.list()).toEqual([expected]);
      });

      test('keys that were not given are absent', async () => {
        const task = await store.create({ subject: 's', description: '', activeForm: '', metadata: {} });
        expect(Object.keys(task)).toEqual(['id', 'subject', 'description', 'status', 'blocks', 'blockedBy']);
      });

      test('the list is in the order of the numbers, past ten as well', async () => {
        await addMany(11);
        expect(await ids()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
      });

      test('what a caller does to a task it was given does not change the list', async () => {
        const task = await store.create({ subject: 's', description: '', metadata: { deep: { x: 1 } } });
        task.subject = 'changed';
        task.blocks.push('9');
        const listed = await store.list();
        if (listed[0]?.metadata) listed[0].metadata.deep = null;
        expect(await store.get('1')).toMatchObject({
          subject: 's',
          blocks: [],
          metadata: { deep: { x: 1 } },
        });
      });

      test.each(['../../victim', '1/../2', '%2e%2e', '..', '', 'a b', '1.json', 'con', 'a\u0000b', '1\n'])(
        'B21 %j is refused as an id by every method',
        async (id) => {
          await add();
          const calls = [
            () => store.get(id),
            () => store.update(id, { subject: 'x' }),
            () => store.update(id, { addBlocks: ['1'] }),
            () => store.remove(id),
            () => store.claim(id, 'me'),
          ];
          for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'invalid_id' });
          await expect(store.update('1', { addBlocks: [id] })).rejects.toMatchObject({ code: 'bad_edge' });
        },
      );

      test('what no JSON file can hold is refused, and the list stays usable', async () => {
        const ring: Record<string, unknown> = {};
        ring.self = ring;
        await expect(store.create({ subject: 's', description: '', metadata: ring })).rejects.toMatchObject({
          code: 'invalid_input',
        });
        await add();
        await expect(store.update('1', { metadata: ring })).rejects.toMatchObject({ code: 'invalid_input' });
        expect(await store.list()).toHaveLength(1);
      });
    });

    describe('numbers', () => {
      test('B10 a number is never used again, also after all tasks are gone', async () => {
        await addMany(3);
        await store.remove('3');
        expect((await add()).id).toBe('4');
        for (const id of await ids()) await store.remove(id);
        expect((await add()).id).toBe('5');
      });

      test('B10 a reset removes all tasks and numbering goes on', async () => {
        await addMany(3);
        expect(await store.reset()).toBe(3);
        expect(await store.list()).toEqual([]);
        expect((await add()).id).toBe('4');
        expect(await store.reset()).toBe(1);
        expect(await store.reset()).toBe(0);
      });

      test('B12 fifty creations at once have fifty numbers, each with its own subject', async () => {
        const made = await Promise.all(
          Array.from({ length: 50 }, async (_, index) => ({ index, task: await add(`subject ${index}`) })),
        );
        expect(new Set(made.map(({ task }) => task.id)).size).toBe(50);
        for (const { index, task } of made) {
          expect((await store.get(task.id))?.subject).toBe(`subject ${index}`);
        }
        expect(await store.list()).toHaveLength(50);
      });
    });

    describe('update', () => {
      test('names the fields that really changed, and gives both states', async () => {
        await store.create({ subject: 's', description: 'd', metadata: { keep: 1, drop: 2 } });
        const outcome = await store.update('1', {
          subject: 's',
          description: 'new',
          owner: 'me',
          status: 'in_progress',
          metadata: { drop: null, add: true },
        });
        expect(outcome?.updatedFields).toEqual(['description', 'owner', 'metadata', 'status']);
        expect(outcome?.before).toMatchObject({ description: 'd', status: 'pending' });
        expect(outcome?.after).toMatchObject({
          subject: 's',
          description: 'new',
          owner: 'me',
          status: 'in_progress',
          metadata: { keep: 1, add: true },
        });
        expect(await store.get('1')).toEqual(outcome?.after);
      });

      test('a change to what is there already changes nothing', async () => {
        await add('s');
        const outcome = await store.update('1', {
          subject: 's',
          status: 'pending',
          metadata: { gone: null },
        });
        expect(outcome?.updatedFields).toEqual([]);
        expect(outcome?.after).toEqual(outcome?.before);
      });

      test('an empty owner or activeForm takes the key away', async () => {
        await store.create({ subject: 's', description: '', activeForm: 'doing' });
        await store.update('1', { owner: 'me' });
        const outcome = await store.update('1', { owner: '', activeForm: '' });
        expect(outcome?.updatedFields).toEqual(['activeForm', 'owner']);
        expect(Object.keys((await store.get('1')) ?? {})).not.toContain('owner');
        expect(Object.keys((await store.get('1')) ?? {})).not.toContain('activeForm');
      });

      test('a metadata key named __proto__ changes no prototype, and the other keys are kept', async () => {
        await add();
        await store.update('1', { metadata: JSON.parse('{"__proto__":{"x":1},"y":{"__proto__":2}}') });
        const metadata = (await store.get('1'))?.metadata ?? {};
        expect(metadata.x).toBeUndefined();
        expect(JSON.stringify(metadata.y)).toBe('{"__proto__":2}');
      });

      test('B30 an unknown task gives null and comes into being by no change', async () => {
        expect(await store.update('99', { status: 'completed' })).toBeNull();
        expect(await store.update('99', { addBlocks: ['98'] })).toBeNull();
        expect(await store.remove('99')).toBeNull();
        expect(await store.list()).toEqual([]);
      });

      test('B30 after parallel updates of several tasks each read shows the new values', async () => {
        await addMany(5);
        await Promise.all(
          ['1', '2', '3', '4', '5'].map((id) => store.update(id, { status: 'completed', owner: `o${id}` })),
        );
        for (const id of ['1', '2', '3', '4', '5']) {
          expect(await store.get(id)).toMatchObject({ status: 'completed', owner: `o${id}` });
        }
      });

      test('parallel changes of one task are all kept', async () => {
        await add();
        await Promise.all(
          Array.from({ length: 20 }, (_, index) => store.update('1', { metadata: { [`k${index}`]: index } })),
        );
        expect(Object.keys((await store.get('1'))?.metadata ?? {})).toHaveLength(20);
      });

      test('onlyIf is asked with the task as it is, and a no changes nothing', async () => {
        await addMany(2);
        await store.update('1', { owner: 'me' });
        const seen: Array<string | undefined> = [];
        const no = (current: { owner?: string | undefined }) => {
          seen.push(current.owner);
          return false;
        };
        const plain = await store.update('1', { owner: 'other' }, { onlyIf: no });
        const edge = await store.update('1', { addBlocks: ['2'] }, { onlyIf: no });
        expect([plain?.updatedFields, edge?.updatedFields]).toEqual([[], []]);
        expect(seen).toEqual(['me', 'me']);
        expect(await store.get('1')).toMatchObject({ owner: 'me', blocks: [] });
      });
    });

    describe('edges', () => {
      test('B37 both sides are written, once, whichever side the call names', async () => {
        await addMany(3);
        for (let round = 0; round < 2; round += 1) {
          await store.update('3', { addBlockedBy: ['2'] });
          await store.update('1', { addBlocks: ['3'] });
        }
        expect((await edges('3')).blockedBy).toEqual(['2', '1']);
        expect((await edges('2')).blocks).toEqual(['3']);
        expect((await edges('1')).blocks).toEqual(['3']);
      });

      test('B37 a repeated edge changes nothing and says so', async () => {
        await addMany(2);
        expect((await store.update('1', { addBlocks: ['2'] }))?.updatedFields).toEqual(['blocks']);
        expect((await store.update('1', { addBlocks: ['2'] }))?.updatedFields).toEqual([]);
        expect((await store.update('2', { addBlockedBy: ['1'] }))?.updatedFields).toEqual([]);
      });

      test.each([
        ['a task that blocks itself', '1', { addBlockedBy: ['1'] }, '#1 blocked by #1'],
        ['an unknown blocker', '1', { addBlockedBy: ['77'] }, 'no task #77'],
        ['one unknown among known', '1', { subject: 'x', addBlocks: ['2', '77'] }, 'no task #77'],
        ['two edges of one call against each other', '1', { addBlocks: ['2'], addBlockedBy: ['2'] }, 'ring'],
      ] as const)('B35 %s is refused and nothing changes', async (_, id, change, says) => {
        await addMany(3);
        const before = await store.list();
        const error = await store.update(id, change).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(WaymarkError);
        expect(error).toMatchObject({ code: 'bad_edge', message: expect.stringContaining(says) });
        expect(await store.list()).toEqual(before);
      });

      test('B35 a ring of open tasks is refused and named; through a completed task it is allowed', async () => {
        await addMany(3);
        await store.update('1', { addBlocks: ['2'] });
        await store.update('2', { addBlocks: ['3'] });
        const before = await store.list();
        await expect(store.update('3', { addBlocks: ['1'] })).rejects.toMatchObject({
          code: 'bad_edge',
          message: expect.stringContaining('#1 blocked by #3'),
        });
        expect(await store.list()).toEqual(before);
        await store.update('2', { status: 'completed' });
        expect((await store.update('3', { addBlocks: ['1'] }))?.updatedFields).toEqual(['blocks']);
      });

      test('B35 a completed task is not opened again where that closes a ring', async () => {
        await addMany(2);
        await store.update('1', { addBlocks: ['2'] });
        await store.update('1', { status: 'completed' });
        await store.update('2', { addBlocks: ['1'] });
        await expect(store.update('1', { status: 'pending' })).rejects.toMatchObject({ code: 'bad_edge' });
        expect(await store.get('1')).toMatchObject({ status: 'completed' });
      });

      test('a removed task leaves no edge behind', async () => {
        await addMany(3);
        await store.update('2', { addBlockedBy: ['1'], addBlocks: ['3'] });
        expect(await store.remove('2')).toMatchObject({ id: '2', blockedBy: ['1'], blocks: ['3'] });
        expect(await edges('1')).toEqual({ blocks: [], blockedBy: [] });
        expect(await edges('3')).toEqual({ blocks: [], blockedBy: [] });
      });
    });

    describe('claim', () => {
      test('B40 of ten claims at once one succeeds and nine are told who has the task', async () => {
        await add();
        const agents = Array.from({ length: 10 }, (_, index) => `agent-${index}`);
        const outcomes = await Promise.all(agents.map((agent) => store.claim('1', agent)));
        const won = outcomes.filter((outcome) => outcome.ok);
        const owner = (await store.get('1'))?.owner;
        expect(won).toHaveLength(1);
        expect(won[0]).toMatchObject({ ok: true, task: { owner } });
        expect(outcomes.filter((outcome) => !outcome.ok)).toEqual(
          Array.from({ length: 9 }, () => ({ ok: false, reason: 'already_claimed', owner })),
        );
      });

      test('B40 the reasons come in their order, and the present owner may claim again', async () => {
        await addMany(4);
        expect(await store.claim('9', 'me')).toEqual({ ok: false, reason: 'task_not_found' });
        await store.update('1', { owner: 'other', status: 'completed' });
        expect(await store.claim('1', 'me')).toEqual({
          ok: false,
          reason: 'already_claimed',
          owner: 'other',
        });
        await store.update('1', { owner: '' });
        expect(await store.claim('1', 'me')).toEqual({ ok: false, reason: 'already_resolved' });
        await store.update('3', { addBlockedBy: ['1', '2'] });
        expect(await store.claim('3', 'me')).toEqual({ ok: false, reason: 'blocked', blockedBy: ['2'] });
        expect(await store.claim('2', 'me')).toMatchObject({ ok: true });
        expect(await store.claim('2', 'me')).toMatchObject({ ok: true, task: { owner: 'me' } });
        expect(await store.claim('4', 'me', { exclusive: true })).toEqual({
          ok: false,
          reason: 'agent_busy',
          busyWith: ['2'],
        });
        expect(await store.claim('4', 'me')).toMatchObject({ ok: true });
      });
    });

    describe('events', () => {
      test('tell each change once with both states, and none after the listener is removed', async () => {
        const events: TaskEvent[] = [];
        const stop = store.subscribe((event) => events.push(event));
        await addMany(2);
        await store.update('1', { status: 'in_progress' });
        await store.update('1', { status: 'in_progress' });
        await store.update('1', { addBlocks: ['2'] });
        await store.claim('1', 'me');
        await store.remove('1');
        stop();
        await add();
        const told = events.map((event) =>
          event.type === 'updated' ? `updated ${event.after.id}` : `${event.type} ${event.task.id}`,
        );
        expect(told.slice(0, 3)).toEqual(['created 1', 'created 2', 'updated 1']);
        expect(told.slice(3, 5).sort()).toEqual(['updated 1', 'updated 2']);
        expect(told.slice(5)).toEqual(['updated 1', 'updated 2', 'deleted 1']);
        expect(events[2]).toMatchObject({
          listId: store.listId,
          before: { status: 'pending' },
          after: { status: 'in_progress' },
        });
      });

      test("a listener's throw reaches neither the writer nor the other listeners", async () => {
        const seen: string[] = [];
        store.subscribe(() => {
          throw new Error('listener');
        });
        store.subscribe((event) => seen.push(event.type));
        await add();
        expect(seen).toEqual(['created']);
      });
    });
  });
}
