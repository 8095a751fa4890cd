// One process of a test: does a job on a task list and prints a JSON value a line. Started with the job as JSON.
import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { FileTaskStore } from '../../../dist/tasks/file-store.js';
import { acquireLock } from '../../../dist/tasks/list-lock.js';

const job = JSON.parse(process.argv[2] ?? '{}');
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const newTask = (subject) => ({ subject, description: '' });

function open(disk) {
  return new FileTaskStore({ dir: job.dir, listId: job.listId, ...(disk ? { disk } : {}) });
}

/** Nobody starts before everybody is there. */
async function startTogether() {
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
}

const jobs = {
  async create() {
    const store = open();
    await startTogether();
    const subjects = Array.from({ length: job.count }, (_, index) => `${job.name} ${index}`);
    const made = await Promise.all(
      subjects.map(async (subject) => ({ subject, id: (await store.create(newTask(subject))).id })),
    );
    say(made);
  },
  async update() {
    const store = open();
    await startTogether();
    for (let index = 0; index < job.count; index += 1) {
      await store.update('1', { metadata: { [`${job.name}-${index}`]: true } });
    }
    say('done');
  },
  async claim() {
    const store = open();
    await startTogether();
    say(await store.claim('1', job.name));
  },
  async claimAll() {
    const store = open();
    await startTogether();
    const won = [];
    for (const task of await store.list()) if ((await store.claim(task.id, job.name)).ok) won.push(task.id);
    say(won);
  },
  /** Rewrites a large task until it is killed. */
  async rewrite() {
    const store = open();
    for (let round = 0; ; round += 1) {
      const letter = round % 2 === 0 ? 'a' : 'b';
      await store.update('1', { description: letter.repeat(200_000) });
      if (round === 0) say('writing');
    }
  },
  /** Makes, links and removes tasks until it is killed. Says each number that it was given. */
  async churn() {
    const store = open();
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
    await acquireLock(join(job.dir, job.listId, '.lock'), { deadline: Date.now() + 5_000, waitMs: 5_000 });
    say('held');
    setInterval(() => undefined, 60_000);
  },
  /** A machine that sleeps in the middle of a creation: nothing in this process runs for `ms`, no heartbeat either. */
  async sleepInCreate() {
    let slept = false;
    const readdir = async (...args) => {
      if (!slept) {
        slept = true;
        say('asleep');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
      }
      return files.readdir(...args);
    };
    say((await open({ ...files, readdir }).create(newTask('slept'))).id);
  },
  /** Holds a lock that is taken away, past the next heartbeat, and does its work again afterwards. */
  async loseLock() {
    const target = join(job.dir, job.listId, '.lock');
    const held = await acquireLock(target, { deadline: Date.now() + 5_000, waitMs: 5_000 });
    await files.rm(`${target}.lock`, { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, job.ms));
    say(await held.assertHeld().catch((error) => error.code));
    await held.release();
    say((await open().create(newTask('after'))).id);
  },
};

await jobs[job.do]();
