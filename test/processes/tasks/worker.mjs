// One process of a test: does a job on a task list and prints a JSON value a line. Started with the job as JSON. It
// uses the built package by its public entry; what no public call does (stop in the middle) is done to Node's own fs.

import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { openTaskList } from '../../../dist/index.js';

const job = JSON.parse(process.argv[2] ?? '{}');
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const newTask = (subject) => ({ subject, description: '' });
const store = openTaskList({ dir: job.dir, listId: job.listId, env: {} });

/** Nobody starts before everybody is there. */
async function startTogether() {
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
}

/** Runs `interfere` once, when a creation holds the list's lock and looks for its number. */
function onceUnderTheLock(interfere) {
  const { readdir } = files;
  files.readdir = async (...args) => {
    files.readdir = readdir;
    syncBuiltinESMExports();
    await interfere();
    return await readdir(...args);
  };
  syncBuiltinESMExports();
}

const jobs = {
  async create() {
    await startTogether();
    const subjects = Array.from({ length: job.count }, (_, index) => `${job.name} ${index}`);
    const made = await Promise.all(
      subjects.map(async (subject) => ({ subject, id: (await store.create(newTask(subject))).id })),
    );
    say(made);
  },
  async update() {
    await startTogether();
    for (let index = 0; index < job.count; index += 1) {
      await store.update('1', { metadata: { [`${job.name}-${index}`]: true } });
    }
    say('done');
  },
  async claim() {
    await startTogether();
    say(await store.claim('1', job.name));
  },
  async claimAll() {
    await startTogether();
    const won = [];
    for (const task of await store.list()) if ((await store.claim(task.id, job.name)).ok) won.push(task.id);
    say(won);
  },
  /** Rewrites a large task until it is killed. */
  async rewrite() {
    for (let round = 0; ; round += 1) {
      const letter = round % 2 === 0 ? 'a' : 'b';
      await store.update('1', { description: letter.repeat(200_000) });
      if (round === 0) say('writing');
    }
  },
  /** Makes, links and removes tasks until it is killed. Says each number that it was given. */
  async churn() {
    for (;;) {
      const first = await store.create(newTask('first'));
      say(first.id);
      const second = await store.create(newTask('second'));
      say(second.id);
      await store.update(first.id, { addBlocks: [second.id] });
      await store.remove(first.id);
    }
  },
  /** Holds the list's lock until it is killed. */
  async hold() {
    onceUnderTheLock(async () => {
      say('held');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });
    await store.create(newTask('never'));
  },
  /** A machine that sleeps in the middle of a creation: nothing in this process runs for `ms`, no heartbeat either. */
  async sleepInCreate() {
    onceUnderTheLock(async () => {
      say('asleep');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
    });
    say((await store.create(newTask('slept'))).id);
  },
  /** The lock is taken away in the middle of a creation, which then goes on past the next heartbeat. */
  async loseLock() {
    onceUnderTheLock(async () => {
      await files.rm(join(job.dir, job.listId, '.lock.lock'), { recursive: true });
      say('lost');
      await new Promise((resolve) => setTimeout(resolve, job.ms));
    });
    say((await store.create(newTask('after'))).id);
  },
};

await jobs[job.do]();
