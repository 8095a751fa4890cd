// A task list on disk that several workers share: each claims what is free and not blocked, and nobody gets it twice.
// Within one process here; the same calls work from many processes, because every change happens under a lock.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTaskList } from 'waymark';

const dir = mkdtempSync(join(tmpdir(), 'waymark-example-'));
const open = () => openTaskList({ listId: 'release', dir });

const plan = open();
for (const subject of ['Write the notes', 'Run the tests', 'Publish']) {
  await plan.create({ subject, description: `${subject}.` });
}
await plan.update('3', { addBlockedBy: ['1', '2'] });

const done = [];
async function worker(name) {
  const list = open();
  for (let idle = 0; idle < 50; ) {
    const free = (await list.list()).filter((task) => task.status === 'pending' && !task.owner);
    const claims = [];
    for (const task of free) {
      const claim = await list.claim(task.id, name);
      if (claim.ok) {
        claims.push(task.id);
        break;
      }
    }
    const [id] = claims;
    if (id === undefined) {
      if ((await list.list()).every((task) => task.status === 'completed')) break;
      idle += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    await list.update(id, { status: 'in_progress' });
    done.push(id);
    await list.update(id, { status: 'completed' });
  }
  await list.close();
}
await Promise.all(['ada', 'bob', 'cleo'].map(worker));

assert.deepEqual([...done].sort(), ['1', '2', '3']);
assert.equal(done.at(-1), '3', 'a blocked task comes after the ones that block it');
for (const task of await plan.list()) assert.equal(task.status, 'completed');
assert.ok(readdirSync(join(dir, 'release')).includes('1.json'), 'finished tasks stay on disk');
await plan.close();
rmSync(dir, { recursive: true, force: true });
