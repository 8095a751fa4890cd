import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createExclusive } from '../../src/tasks/atomic-write.js';
import { type Disk, nodeDisk } from '../../src/tasks/disk.js';
import { openFileStore, snapshot, tempFolder } from './temp-lists.js';

function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: made for a test`), { code });
}

/** A disk whose `rename` fails where `failure` names a code. Counts the tries. */
function renamesFail(failure: (attempt: number, target: string) => string | undefined) {
  const seen = { renames: 0 };
  const rename: Disk['rename'] = async (from, to) => {
    seen.renames += 1;
    const code = failure(seen.renames, String(to));
    if (code) throw systemError(code);
    await files.rename(from, to);
  };
  return { disk: { ...nodeDisk, rename }, seen };
}

/** A list with `count` tasks, and a store on it that works on the given disk. */
async function listOn(disk: Disk, count = 1) {
  const dir = tempFolder();
  const good = openFileStore({ dir });
  for (let made = 0; made < count; made += 1) await good.create({ subject: 'old', description: '' });
  return { store: openFileStore({ dir, disk }), good };
}

describe('a rename that is refused', () => {
  test.each(['EPERM', 'EBUSY', 'EACCES'])('B20 twice with %s and then works is not noticed', async (code) => {
    const { disk, seen } = renamesFail((attempt) => (attempt <= 2 ? code : undefined));
    const { store } = await listOn(disk);
    expect((await store.update('1', { subject: 'new' }))?.updatedFields).toEqual(['subject']);
    expect(seen.renames).toBe(3);
    expect((await store.get('1'))?.subject).toBe('new');
  });

  test('B20 always ends after a bounded number of tries, with the old file and no leftovers', async () => {
    const { disk, seen } = renamesFail(() => 'EBUSY');
    const { store } = await listOn(disk);
    const before = snapshot(store.location);
    await expect(store.update('1', { subject: 'new' })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(store.location),
    });
    expect(seen.renames).toBeLessThanOrEqual(10);
    expect(snapshot(store.location)).toEqual(before);
  });

  test.each(['ENOSPC', 'EROFS', 'EIO'])('B20 with %s is not tried again', async (code) => {
    const { disk, seen } = renamesFail(() => code);
    const { store } = await listOn(disk);
    const before = snapshot(store.location);
    await expect(store.update('1', { subject: 'new' })).rejects.toMatchObject({ code: 'storage_failed' });
    expect(seen.renames).toBe(1);
    expect(snapshot(store.location)).toEqual(before);
  });
});

describe('a change of several files that fails half way', () => {
  test.each([1, 2, 3])('B37 at file %i leaves every file as it was', async (failing) => {
    const { disk } = renamesFail((attempt) => (attempt === failing ? 'ENOSPC' : undefined));
    const { store } = await listOn(disk, 3);
    const before = snapshot(store.location);
    await expect(store.update('1', { addBlocks: ['2', '3'] })).rejects.toMatchObject({
      code: 'storage_failed',
    });
    expect(snapshot(store.location)).toEqual(before);
  });

  test('a removal whose edges cannot be taken back brings the task back', async () => {
    const { disk } = renamesFail((_, target) => (target.endsWith('2.json') ? 'EIO' : undefined));
    const { store, good } = await listOn(disk, 2);
    await good.update('1', { addBlocks: ['2'] });
    const before = await good.list();
    await expect(store.remove('1')).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await good.list()).toEqual(before);
  });

  test('a full disk while the new texts are staged changes nothing and leaves nothing', async () => {
    let writes = 0;
    const writeFile: Disk['writeFile'] = async (path, data, options) => {
      if (typeof path === 'string' && path.endsWith('.tmp') && ++writes === 2) throw systemError('ENOSPC');
      await files.writeFile(path, data, options);
    };
    const { store } = await listOn({ ...nodeDisk, writeFile }, 2);
    const before = snapshot(store.location);
    await expect(store.update('1', { addBlocks: ['2'] })).rejects.toMatchObject({ code: 'storage_failed' });
    expect(snapshot(store.location)).toEqual(before);
  });
});

describe('creating a file that must not be there', () => {
  const noLinks: Disk = {
    ...nodeDisk,
    link: async () => {
      throw systemError('EPERM');
    },
  };

  test.each([
    ['with links', nodeDisk],
    ['without links', noLinks],
  ])('B12 on a disk %s never replaces one that is, and leaves no temporary file', async (_, disk) => {
    const folder = tempFolder();
    const path = join(folder, '1.json');
    expect(await createExclusive(disk, path, 'mine')).toBe(true);
    expect(await createExclusive(disk, path, 'yours')).toBe(false);
    expect(snapshot(folder)).toEqual({ '1.json': 'mine' });
  });

  test('a creation goes past a number that another program took without the lock', async () => {
    const dir = tempFolder();
    let taken = false;
    const link: Disk['link'] = async (from, to) => {
      if (!taken) {
        taken = true;
        await files.writeFile(to, 'theirs');
      }
      await files.link(from, to);
    };
    const store = openFileStore({ dir, disk: { ...nodeDisk, link } });
    expect((await store.create({ subject: 's', description: '' })).id).toBe('2');
    expect(await files.readFile(join(store.location, '1.json'), 'utf8')).toBe('theirs');
  });
});
