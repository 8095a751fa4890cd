import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/tasks/disk.js';
import { chooseListId, listFolderName } from '../../src/tasks/list-id.js';
import { openFileStore, tempFolder } from './temp-lists.js';

const NAMES = ['team a', 'team/a', 'team-a', 'Team-A', 'équipe', '团队', '图表', 'a/b c', 'a b/c'];

describe('the folder of a list', () => {
  test.each(['team-a', 'Team-A', 'x', '42', 'a_b', '9f8b7c6d-1a2b-4c3d-8e9f-0a1b2c3d4e5f', 'z'.repeat(100)])(
    'B22 %j needs no change and maps to itself',
    (name) => expect(listFolderName(name)).toBe(name),
  );

  test('B22 a name that needs a change stays readable and gets a hash of the whole name', () => {
    expect(listFolderName('a/b c')).toMatch(/^a-b-c-[0-9a-f]{10}$/);
    expect(listFolderName('a/b c')).toBe(listFolderName('a/b c'));
    const long = 'y'.repeat(5000);
    expect(listFolderName(long).length).toBeLessThan(100);
    expect(listFolderName(`${long}1`)).not.toBe(listFolderName(`${long}2`));
  });

  test.each(['con', 'NUL', 'lpt1', 'Com3'])('B20 %j, a device on Windows, is no folder name', (name) =>
    expect(listFolderName(name)).toMatch(new RegExp(`^${name}-[0-9a-f]{10}$`)),
  );

  test('B22 names that look alike are lists of their own', async () => {
    const dir = tempFolder();
    for (const listId of NAMES)
      await openFileStore({ dir, listId }).create({ subject: listId, description: '' });
    for (const listId of NAMES) {
      const tasks = await openFileStore({ dir, listId }).list();
      expect(tasks.map((task) => task.subject)).toEqual([listId]);
    }
  });

  test('B22 on a disk that does not tell letter case apart the second spelling is refused, never shared', async () => {
    const dir = tempFolder();
    await openFileStore({ dir, listId: 'team-a' }).create({ subject: 'mine', description: '' });
    // Such a disk opens `Team-A` as `team-a` and gives the name as it was first written.
    const fold = (path: string) => path.replace(/Team-A/g, 'team-a');
    const disk: Disk = {
      ...files,
      mkdir: ((path: string, options: object) => files.mkdir(fold(path), options)) as Disk['mkdir'],
      realpath: ((path: string) => files.realpath(fold(path))) as Disk['realpath'],
    };
    const other = openFileStore({ dir, listId: 'Team-A', disk });
    for (const call of [() => other.list(), () => other.create({ subject: 'x', description: '' })]) {
      await expect(call()).rejects.toMatchObject({
        code: 'invalid_id',
        message: expect.stringContaining('"team-a"'),
      });
    }
    expect(await files.readdir(join(dir, 'team-a'))).toContain('1.json');
    expect(await files.readdir(dir)).toEqual(['team-a']);
  });
});

describe('the choice of the list', () => {
  const all = {
    listId: 'given',
    env: { CLAUDE_CODE_TASK_LIST_ID: 'from-env' },
    teamName: 'team',
    sessionId: 'session',
  };
  test.each([
    [all, 'given', 'option'],
    [{ ...all, listId: ' ' }, 'from-env', 'environment'],
    [{ ...all, listId: undefined, env: {} }, 'team', 'team'],
    [{ sessionId: 'session', env: { CLAUDE_CODE_TASK_LIST_ID: '' } }, 'session', 'session'],
  ] as const)('of %j the list is %s, named by the %s', (sources, listId, source) => {
    expect(chooseListId(sources)).toEqual({ listId, name: listId, source });
  });
});
