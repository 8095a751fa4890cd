import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Disk, nodeDisk } from '../../src/tasks/disk.js';
import { acquireLock } from '../../src/tasks/list-lock.js';
import { takeTurn } from '../../src/tasks/turns.js';
import { openFileStore, tempFolder } from './temp-lists.js';

const limits = (waitMs = 5_000, signal?: AbortSignal) => ({ deadline: Date.now() + waitMs, waitMs, signal });

/** A lock as a dead process leaves it behind, with the age of its last sign of life in milliseconds. */
function deadLock(path: string, ageMs: number): void {
  mkdirSync(path, { recursive: true });
  const then = new Date(Date.now() - ageMs);
  utimesSync(path, then, then);
}

async function listWithTask(options: { lockWaitMs?: number; disk?: Disk } = {}) {
  const dir = tempFolder();
  await openFileStore({ dir }).create({ subject: 'one', description: '' });
  return openFileStore({ dir, ...options });
}

const leftLocks = (folder: string) =>
  readdirSync(folder).filter((name) => name.endsWith('.lock.lock') || name.endsWith('.json.lock'));

describe('a lock that a dead process left', () => {
  test('B16 an hour old is taken over at once, for the list and for a task', async () => {
    const store = await listWithTask({ lockWaitMs: 1_000 });
    deadLock(join(store.location, '.lock.lock'), 3_600_000);
    deadLock(join(store.location, '1.json.lock'), 3_600_000);
    expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
    expect((await store.update('1', { owner: 'me' }))?.updatedFields).toEqual(['owner']);
    expect(leftLocks(store.location)).toEqual([]);
  });

  test('B16 is taken over when it has been silent for the stale limit, within the wait', async () => {
    const store = await listWithTask({ lockWaitMs: 15_000 });
    deadLock(join(store.location, '.lock.lock'), 8_500);
    expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
  });
});

describe('a lock that is held', () => {
  test('B16 B18 past the wait limit the error names the lock and what to do, and nothing was done', async () => {
    const store = await listWithTask({ lockWaitMs: 150 });
    const path = join(store.location, '.lock.lock');
    const held = await acquireLock(join(store.location, '.lock'), limits());
    const error = await store.create({ subject: 'two', description: '' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'list_busy', message: expect.stringContaining(path) });
    expect(error).toMatchObject({ message: expect.stringContaining('Try again') });
    await held.release();
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
    expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
  });

  test('B16 B18 by another process is waited for no longer than the limit', async () => {
    const store = await listWithTask({ lockWaitMs: 150 });
    // Its holder is alive: the lock is fresh.
    mkdirSync(join(store.location, '1.json.lock'));
    await expect(store.update('1', { owner: 'me' })).rejects.toMatchObject({ code: 'list_busy' });
    expect(await store.get('1')).not.toHaveProperty('owner');
  });

  test('an abort ends the wait, and nothing was done', async () => {
    const store = await listWithTask();
    mkdirSync(join(store.location, '.lock.lock'));
    const abort = new AbortController();
    const waits = [
      store.create({ subject: 'two', description: '' }, { signal: abort.signal }),
      store.remove('1', { signal: abort.signal }),
      store.reset({ signal: abort.signal }),
      store.claim('1', 'me', { signal: abort.signal }),
    ].map((wait) => wait.catch((error: unknown) => error));
    setTimeout(() => abort.abort(), 30);
    for (const error of await Promise.all(waits)) expect(error).toMatchObject({ code: 'aborted' });
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
  });

  test('B16 is released when the work under it throws', async () => {
    const writeFile: Disk['writeFile'] = async (path, data, options) => {
      if (typeof path === 'string' && path.endsWith('.tmp')) throw new Error('no room');
      await files.writeFile(path, data, options);
    };
    const store = await listWithTask({ disk: { ...nodeDisk, writeFile } });
    await expect(store.create({ subject: 's', description: '' })).rejects.toThrow('no room');
    await expect(store.update('1', { subject: 'x' })).rejects.toThrow('no room');
    expect(leftLocks(store.location)).toEqual([]);
  });
});

describe('a lock that is lost while it is held', () => {
  test('B17 the change starts again and is applied once', async () => {
    let stolen = 0;
    const readdir = (async (path: string, ...rest: []) => {
      // What a person or a clean-up does in the middle of a creation.
      if (stolen++ === 0) rmSync(join(path, '.lock.lock'), { recursive: true });
      return files.readdir(path, ...rest);
    }) as Disk['readdir'];
    const store = await listWithTask({ disk: { ...nodeDisk, readdir } });
    expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
    expect((await openFileStore({ dir: join(store.location, '..') }).list()).map((task) => task.id)).toEqual([
      '1',
      '2',
    ]);
  });

  test('B17 again and again ends in an error, without the change', async () => {
    const readdir = (async (path: string, ...rest: []) => {
      rmSync(join(path, '.lock.lock'), { recursive: true, force: true });
      return files.readdir(path, ...rest);
    }) as Disk['readdir'];
    const store = await listWithTask({ disk: { ...nodeDisk, readdir } });
    await expect(store.create({ subject: 'two', description: '' })).rejects.toMatchObject({
      code: 'lock_lost',
    });
    expect(await store.get('2')).toBeNull();
  });

  test("B17 the next holder's lock is not released by the one that lost it", async () => {
    const target = join(tempFolder(), '.lock');
    const first = await acquireLock(target, limits());
    rmSync(`${target}.lock`, { recursive: true });
    mkdirSync(`${target}.lock`);
    await expect(first.assertHeld()).rejects.toMatchObject({ code: 'lock_lost' });
    await first.release();
    expect(existsSync(`${target}.lock`)).toBe(true);
  });
});

describe('turns within one process', () => {
  const leaves: Array<() => void> = [];
  afterEach(() => {
    for (const leave of leaves.splice(0)) leave();
  });

  test('come in the order asked, and a turn that is given up holds nobody back', async () => {
    const order: string[] = [];
    const first = await takeTurn('t', 1000);
    const abort = new AbortController();
    const second = takeTurn('t', 1000, abort.signal);
    const third = takeTurn('t', 5);
    const fourth = takeTurn('t', 1000).then((leave) => {
      order.push('fourth');
      if (typeof leave === 'function') leaves.push(leave);
    });
    abort.abort();
    expect(await second).toBe('aborted');
    expect(await third).toBe('timeout');
    expect(order).toEqual([]);
    if (typeof first === 'function') first();
    await fourth;
    expect(order).toEqual(['fourth']);
  });
});
