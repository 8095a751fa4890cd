import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openFileStore, tempFolder } from '../../tasks/temp-lists.js';
import { startWorker } from './worker-process.js';

/** Makes what a killed process left locked as old as if its stale time had passed. */
function age(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.lock') && entry !== '.lock')) {
    utimesSync(join(folder, name), 0, 0);
  }
}

/** Reads a file again and again until told to stop; every text it meets must be a whole task. Gives the count. */
async function readAll(path: string, until: { done: boolean }): Promise<number> {
  let reads = 0;
  for (; !until.done; reads += 1) {
    const { description } = JSON.parse(readFileSync(path, 'utf8')) as { description: string };
    expect(['', 'a'.repeat(200_000), 'b'.repeat(200_000)]).toContain(description);
    await wait(0);
  }
  return reads;
}

test('B14 a writer killed 20 times in the middle leaves a whole old or new file, and a reader sees no other', async () => {
  const dir = tempFolder();
  const warnings: string[] = [];
  const store = openFileStore({ dir, warnings });
  await store.create({ subject: 'large', description: '' });
  const path = join(store.location, '1.json');
  for (let kill = 0; kill < 20; kill += 1) {
    const worker = startWorker({ do: 'rewrite', dir, listId: 'plan' });
    expect(await worker.next()).toBe('writing');
    const until = { done: false };
    const reading = readAll(path, until);
    await wait(Math.random() * 15);
    worker.kill('SIGKILL');
    expect((await worker.ended).signal).toBe('SIGKILL');
    until.done = true;
    expect(await reading).toBeGreaterThan(0);
    expect((await store.list()).map((task) => task.id)).toEqual(['1']);
    expect((await store.get('1'))?.description).toHaveLength(200_000);
    age(store.location);
  }
  expect(warnings).toEqual([]);
  expect((await store.update('1', { description: 'end' }))?.after.description).toBe('end');
}, 60_000);

test('B10 B14 B37 a process killed 15 times while it makes, links and removes tasks leaves a sound list', async () => {
  const dir = tempFolder();
  const warnings: string[] = [];
  const store = openFileStore({ dir, warnings });
  const given: string[] = [];
  for (let kill = 0; kill < 15; kill += 1) {
    const worker = startWorker({ do: 'churn', dir, listId: 'plan' });
    given.push(String(await worker.next()));
    const killed = wait(Math.random() * 20).then(() => worker.kill('SIGKILL'));
    for (let id = await worker.next(); id !== undefined; id = await worker.next()) given.push(id as string);
    await killed;
    await worker.ended;
    age(store.location);
    const tasks = new Map((await store.list()).map((task) => [task.id, task]));
    // An edge may be on one side only when the process died between the two writes: then on the side that waits.
    for (const { id, blocks } of tasks.values()) {
      for (const blocked of blocks) {
        if (tasks.has(blocked)) expect(tasks.get(blocked)?.blockedBy).toContain(id);
      }
    }
  }
  expect(warnings).toEqual([]);
  expect(new Set(given).size).toBe(given.length);
  const next = Number((await store.create({ subject: 'end', description: '' })).id);
  expect(next).toBeGreaterThan(Math.max(...given.map(Number)));
}, 60_000);

test.concurrent('B16 the lock of a killed holder is taken over after the stale time, within the wait', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  await store.create({ subject: 'one', description: '' });
  const holder = startWorker({ do: 'hold', dir, listId: 'plan' });
  expect(await holder.next()).toBe('held');
  holder.kill('SIGKILL');
  await holder.ended;
  expect(existsSync(join(store.location, '.lock.lock'))).toBe(true);
  expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
}, 30_000);

test.concurrent('B16 a holder that is asked to end by SIGTERM lets go of its lock', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir, lockWaitMs: 1_000 });
  await store.create({ subject: 'one', description: '' });
  const holder = startWorker({ do: 'hold', dir, listId: 'plan' });
  expect(await holder.next()).toBe('held');
  holder.kill('SIGTERM');
  expect((await holder.ended).signal).toBe('SIGTERM');
  expect(existsSync(join(store.location, '.lock.lock'))).toBe(false);
  expect((await store.create({ subject: 'two', description: '' })).id).toBe('2');
}, 30_000);

test.concurrent('B17 a process that sleeps past the stale time in a creation lives, and creates once', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  await store.create({ subject: 'one', description: '' });
  const sleeper = startWorker({ do: 'sleepInCreate', dir, listId: 'plan', ms: 11_500 });
  expect(await sleeper.next()).toBe('asleep');
  expect((await store.create({ subject: 'meanwhile', description: '' })).id).toBe('2');
  expect(await sleeper.next()).toBe('3');
  expect(await sleeper.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect((await store.list()).map((task) => task.subject)).toEqual(['one', 'meanwhile', 'slept']);
}, 30_000);

test.concurrent('B17 a process whose lock is taken away lives past the next heartbeat, and creates once', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  await store.create({ subject: 'one', description: '' });
  const loser = startWorker({ do: 'loseLock', dir, listId: 'plan', ms: 6_500 });
  expect(await loser.next()).toBe('lost');
  expect(await loser.next()).toBe('2');
  expect(await loser.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect((await store.list()).map((task) => task.subject)).toEqual(['one', 'after']);
}, 30_000);
