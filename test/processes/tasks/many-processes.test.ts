import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFileStore, tempFolder } from '../../tasks/temp-lists.js';
import { runTogether, startWorker } from './worker-process.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `worker-${index}`);

/** A list with one task, and that many processes with the same job on it. */
async function together(count: number, job: { do: string; count?: number }) {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  await store.create({ subject: 'one', description: '' });
  const said = await runTogether(
    names(count).map((name) => startWorker({ dir, listId: 'plan', name, ...job })),
  );
  return { store, said };
}

test('B12 four processes that each create 25 tasks at once, beside 50 of this one, get 150 numbers and files', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  const workers = names(4).map((name) => startWorker({ do: 'create', dir, listId: 'plan', name, count: 25 }));
  const own = async () =>
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const { id, subject } = await store.create({ subject: `own ${index}`, description: '' });
        return { id, subject };
      }),
    );
  const [said, mine] = await Promise.all([runTogether(workers), own()]);
  const made = [...(said as Array<Array<{ id: string; subject: string }>>).flat(), ...mine];
  expect(made).toHaveLength(150);
  expect(new Set(made.map(({ id }) => id)).size).toBe(150);
  const subjects = new Map((await store.list()).map((task) => [task.id, task.subject]));
  for (const { id, subject } of made) expect(subjects.get(id)).toBe(subject);
  expect(readdirSync(store.location).filter((name) => name.endsWith('.json'))).toHaveLength(150);
});

test('B18 of eight processes with 30 updates each of the same task all 240 land', async () => {
  const { store, said } = await together(8, { do: 'update', count: 30 });
  expect(said).toEqual(names(8).map(() => 'done'));
  expect(Object.keys((await store.get('1'))?.metadata ?? {})).toHaveLength(240);
}, 60_000);

test('B40 of ten processes that claim a task at once one gets it and nine are told who has it', async () => {
  const { store, said } = await together(10, { do: 'claim' });
  const owner = (await store.get('1'))?.owner;
  expect(names(10)).toContain(owner);
  expect(said.filter((outcome) => (outcome as { ok: boolean }).ok)).toHaveLength(1);
  expect(said).toEqual(
    names(10).map((name) =>
      name === owner
        ? { ok: true, task: expect.objectContaining({ id: '1', owner }) }
        : { ok: false, reason: 'already_claimed', owner },
    ),
  );
});

test('B40 of a list that four processes claim from each task goes to exactly one', async () => {
  const dir = tempFolder();
  const store = openFileStore({ dir });
  for (let number = 1; number <= 20; number += 1)
    await store.create({ subject: `task ${number}`, description: '' });
  const said = await runTogether(
    names(4).map((name) => startWorker({ do: 'claimAll', dir, listId: 'plan', name })),
  );
  const won = (said as string[][]).flat();
  expect(won.sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index + 1)),
  );
  for (const [index, name] of names(4).entries()) {
    for (const id of (said as string[][])[index] ?? []) expect((await store.get(id))?.owner).toBe(name);
  }
});
