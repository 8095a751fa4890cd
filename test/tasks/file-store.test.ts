import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTaskList } from '../../src/tasks/open-task-list.js';
import { openFileStore, snapshot, tempFolder } from './temp-lists.js';

const add = (store: ReturnType<typeof openFileStore>, subject = 's') =>
  store.create({ subject, description: '' });

/** A task file as another program may write it. */
const foreign = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    subject: `task ${id}`,
    description: '',
    status: 'pending',
    blocks: [],
    blockedBy: [],
    ...more,
  });

describe('the files of a list', () => {
  test('one task is one file with the keys in order, two spaces and no final newline', async () => {
    const store = openFileStore();
    await store.create({ subject: 'one', description: 'd', activeForm: 'doing', metadata: { n: 1 } });
    await add(store, 'two');
    await store.update('1', { owner: 'me', status: 'in_progress', addBlocks: ['2'] });
    expect(readFileSync(join(store.location, '1.json'), 'utf8')).toBe(
      `{
  "id": "1",
  "subject": "one",
  "description": "d",
  "activeForm": "doing",
  "owner": "me",
  "status": "in_progress",
  "blocks": [
    "2"
  ],
  "blockedBy": [],
  "metadata": {
    "n": 1
  }
}`,
    );
    expect(readFileSync(join(store.location, '2.json'), 'utf8')).toBe(
      `{
  "id": "2",
  "subject": "two",
  "description": "",
  "status": "pending",
  "blocks": [],
  "blockedBy": [
    "1"
  ]
}`,
    );
  });

  test('after the work only task files, the empty .lock and the mark are there', async () => {
    const store = openFileStore();
    await add(store);
    await add(store);
    expect(readdirSync(store.location).sort()).toEqual(['.lock', '1.json', '2.json']);
    await store.remove('2');
    expect(readdirSync(store.location).sort()).toEqual(['.highwatermark', '.lock', '1.json']);
    expect(readFileSync(join(store.location, '.highwatermark'), 'utf8')).toBe('2');
    expect(statSync(join(store.location, '.lock')).size).toBe(0);
  });

  test('unknown keys of a file are kept on rewrite, after the known ones', async () => {
    const store = openFileStore();
    await add(store);
    writeFileSync(join(store.location, '2.json'), foreign('2', { zeta: { deep: [1] }, alpha: null }));
    await store.update('2', { owner: 'me', addBlocks: ['1'] });
    const written: object = JSON.parse(readFileSync(join(store.location, '2.json'), 'utf8'));
    expect(written).toMatchObject({ owner: 'me', zeta: { deep: [1] } });
    expect(Object.keys(written).at(-1)).toBe('zeta');
  });

  test('ids that are no numbers are listed after the numbers, read and updated, and count for no next number', async () => {
    const store = openFileStore();
    await add(store);
    for (const id of ['t1', 'b-2', '7']) writeFileSync(join(store.location, `${id}.json`), foreign(id));
    expect((await store.list()).map((task) => task.id)).toEqual(['1', '7', 'b-2', 't1']);
    expect((await store.update('t1', { status: 'completed' }))?.after.status).toBe('completed');
    await store.update('b-2', { addBlockedBy: ['t1', '1'] });
    expect((await store.get('t1'))?.blocks).toEqual(['b-2']);
    expect((await add(store)).id).toBe('8');
  });

  test.each(['junk', '-5', '1e9', '', '3.5', '99999999999999999999'])(
    'a mark of %j counts as 0 and the next removal writes a good one',
    async (junk) => {
      const store = openFileStore();
      await add(store);
      writeFileSync(join(store.location, '.highwatermark'), junk);
      expect((await add(store)).id).toBe('2');
      await store.remove('2');
      expect(readFileSync(join(store.location, '.highwatermark'), 'utf8')).toBe('2');
    },
  );

  test('B10 a mark that is higher than every file is obeyed and never lowered', async () => {
    const store = openFileStore();
    await add(store);
    writeFileSync(join(store.location, '.highwatermark'), '40\n');
    await store.remove('1');
    expect(readFileSync(join(store.location, '.highwatermark'), 'utf8')).toBe('40\n');
    expect((await add(store)).id).toBe('41');
  });

  test('folders, leftovers of dead writers and other files in a list folder are left alone', async () => {
    const warnings: string[] = [];
    const store = openFileStore({ warnings });
    await add(store);
    mkdirSync(join(store.location, 'notes'));
    mkdirSync(join(store.location, '5.json'));
    writeFileSync(join(store.location, '.1.json.0123456789abcdef.tmp'), '{"id":');
    writeFileSync(join(store.location, 'README.md'), 'x');
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
    expect(await store.get('5')).toBeNull();
    expect((await add(store)).id).toBe('6');
    expect(warnings).toEqual([]);
  });

  test('a damaged file is left out with one warning, is never overwritten, and its number stays taken', async () => {
    const warnings: string[] = [];
    const store = openFileStore({ warnings });
    await add(store);
    const path = join(store.location, '2.json');
    writeFileSync(path, '{"id": "2", "subj');
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
    await store.list();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(path);
    for (const call of [
      () => store.get('2'),
      () => store.update('2', { owner: 'me' }),
      () => store.remove('2'),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'storage_failed' });
    }
    expect((await add(store)).id).toBe('3');
    expect(readFileSync(path, 'utf8')).toBe('{"id": "2", "subj');
  });

  test('B14 a file that another program fills in place is read again before it is called damaged', async () => {
    const warnings: string[] = [];
    const store = openFileStore({ warnings });
    await add(store);
    const path = join(store.location, '2.json');
    writeFileSync(path, '');
    setTimeout(() => writeFileSync(path, foreign('2')), 15);
    expect((await store.list()).map((task) => task.id)).toEqual(['1', '2']);
    expect(warnings).toEqual([]);
  });

  test('reading makes no folder, and a write in a list that is not there makes none for an unknown task', async () => {
    const store = openFileStore();
    expect(await store.list()).toEqual([]);
    expect(await store.update('1', { owner: 'me' })).toBeNull();
    expect(await store.claim('1', 'me')).toEqual({ ok: false, reason: 'task_not_found' });
    expect(await store.reset()).toBe(0);
    expect(existsSync(store.location)).toBe(false);
  });

  test('opening a list for reading touches its folder, so that a sweep by age leaves it', async () => {
    const dir = tempFolder();
    const store = openFileStore({ dir });
    await add(store);
    const old = new Date(Date.now() - 40 * 24 * 3600 * 1000);
    utimesSync(store.location, old, old);
    await openFileStore({ dir }).list();
    expect(statSync(store.location).mtimeMs).toBeGreaterThan(old.getTime() + 1000);
  });

  test('B28 finished tasks stay, for this store and for the next one', async () => {
    const dir = tempFolder();
    const store = openFileStore({ dir });
    await add(store);
    await add(store);
    await store.update('1', { status: 'completed' });
    await store.update('2', { status: 'completed' });
    await store.close();
    const states = async (opened: ReturnType<typeof openFileStore>) =>
      (await opened.list()).map((task) => task.status);
    expect(await states(openFileStore({ dir }))).toEqual(['completed', 'completed']);
    expect(readdirSync(store.location).filter((name) => name.endsWith('.json'))).toHaveLength(2);
  });
});

describe('where a list lies', () => {
  test('B19 the first write makes the folders, also two first writes at once', async () => {
    const dir = join(tempFolder(), 'not', 'there', 'yet');
    const made = await Promise.all([add(openFileStore({ dir })), add(openFileStore({ dir }))]);
    expect(made.map((task) => task.id).sort()).toEqual(['1', '2']);
  });

  test('B19 a list reached by two spellings of its path is one list under one lock', async () => {
    const root = tempFolder();
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'));
    const [real, link] = ['real', 'link'].map((name) => openFileStore({ dir: join(root, name) }));
    if (!real || !link) throw new Error('two stores were opened');
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? real : link)),
    );
    expect(new Set(made.map((task) => task.id)).size).toBe(20);
    expect(await real.list()).toEqual(await link.list());
  });

  test('the folder is <config>/tasks/<list>, and options.dir moves it', async () => {
    const root = tempFolder();
    const env = { CLAUDE_CONFIG_DIR: root, CLAUDE_CODE_TASK_LIST_ID: 'from-env' };
    expect(openTaskList({ env }).location).toBe(join(root, 'tasks', 'from-env'));
    expect(openTaskList({ env, listId: 'mine' }).location).toBe(join(root, 'tasks', 'mine'));
    expect(openTaskList({ env, dir: join(root, 'repo') }).location).toBe(join(root, 'repo', 'from-env'));
    expect(() => openTaskList({ env: {} })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  test('B21 a task file that is a link is neither read nor written nor removed', async () => {
    const outside = tempFolder();
    writeFileSync(join(outside, 'victim.json'), foreign('3'));
    const warnings: string[] = [];
    const store = openFileStore({ warnings });
    await add(store);
    symlinkSync(join(outside, 'victim.json'), join(store.location, '3.json'));
    const before = snapshot(outside);
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
    expect(warnings[0]).toContain('link');
    for (const call of [
      () => store.get('3'),
      () => store.update('3', { owner: 'me' }),
      () => store.remove('3'),
      () => store.claim('3', 'me'),
    ]) {
      await call().catch(() => undefined);
    }
    await store.reset();
    expect(snapshot(outside)).toEqual(before);
  });

  test('B21 a list folder that is a link to another place is refused', async () => {
    const root = tempFolder();
    const outside = tempFolder();
    writeFileSync(join(outside, '1.json'), foreign('1'));
    symlinkSync(outside, join(root, 'plan'));
    const store = openFileStore({ dir: root });
    const before = snapshot(outside);
    for (const call of [() => store.list(), () => add(store), () => store.reset()]) {
      await expect(call()).rejects.toMatchObject({ code: 'path_outside' });
    }
    expect(snapshot(outside)).toEqual(before);
  });

  test.each(['../../x', '..\\x', '/abs', 'a\u0000b', '.', '..', '', 'con', 'x.', 'y'.repeat(5000)])(
    'B21 the list id %j stays inside of the folder for lists',
    async (listId) => {
      const root = tempFolder();
      const store = openFileStore({ dir: join(root, 'lists'), listId });
      await add(store);
      expect(readdirSync(root)).toEqual(['lists']);
      expect(readdirSync(join(root, 'lists'))).toEqual([store.listId]);
      expect(store.listId).toMatch(/^[A-Za-z0-9_-]+$/);
    },
  );
});
