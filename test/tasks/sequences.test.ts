import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WaymarkError } from '../../src/errors.js';
import { checkNoRing, type Edge } from '../../src/tasks/dependencies.js';
import { FileTaskStore } from '../../src/tasks/file-store.js';
import { MemoryTaskStore } from '../../src/tasks/memory-store.js';
import type { Task } from '../../src/tasks/task.js';
import { tasksById } from '../../src/tasks/task-id.js';
import type { NewTask, TaskChange, TaskStore } from '../../src/tasks/task-store.js';

type Command =
  | { do: 'create'; task: NewTask }
  | { do: 'update'; id: string; change: TaskChange }
  | { do: 'remove'; id: string }
  | { do: 'claim'; id: string; agent: string; exclusive: boolean }
  | { do: 'reset' };

const id = fc.integer({ min: 1, max: 7 }).map(String);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('a', '', '\u2028', '\uD800'),
);
const metadata = fc.dictionary(
  fc.string({ maxLength: 5 }),
  fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(null)),
  {
    maxKeys: 3,
  },
);
const agent = fc.constantFrom('ann', 'bob');
const change: fc.Arbitrary<TaskChange> = fc.record(
  {
    subject: text,
    description: text,
    activeForm: text,
    status: fc.constantFrom('pending', 'in_progress', 'completed'),
    owner: fc.oneof(agent, fc.constant('')),
    addBlocks: fc.array(id, { maxLength: 3 }),
    addBlockedBy: fc.array(id, { maxLength: 3 }),
    metadata,
  },
  { requiredKeys: [] },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      task: fc.record(
        { subject: text, description: text, activeForm: text, metadata },
        { requiredKeys: ['subject', 'description'] },
      ),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), id, change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('claim' as const), id, agent, exclusive: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant<Command>({ do: 'reset' }) },
);

/** What the store answers; a refusal by its code. Anything but a `WaymarkError` goes through and fails the test. */
async function run(store: TaskStore, step: Command): Promise<unknown> {
  try {
    if (step.do === 'create') return await store.create(step.task);
    if (step.do === 'update') return await store.update(step.id, step.change);
    if (step.do === 'remove') return await store.remove(step.id);
    if (step.do === 'claim') return await store.claim(step.id, step.agent, { exclusive: step.exclusive });
    return await store.reset();
  } catch (error) {
    if (error instanceof WaymarkError) return { refused: error.code, why: error.message };
    throw error;
  }
}

/** What holds for every list that only the store has written. */
function checkList(tasks: readonly Task[]): void {
  const byId = tasksById(tasks);
  const edges: Edge[] = tasks.flatMap((task) =>
    task.blocks.map((blocked) => ({ blocker: task.id, blocked })),
  );
  for (const { blocker, blocked } of edges) expect(byId.get(blocked)?.blockedBy).toContain(blocker);
  for (const task of tasks) {
    for (const blocker of task.blockedBy) expect(byId.get(blocker)?.blocks).toContain(task.id);
    expect(new Set(task.blocks).size).toBe(task.blocks.length);
    expect(new Set(task.blockedBy).size).toBe(task.blockedBy.length);
  }
  for (const edge of edges) expect(() => checkNoRing(byId, edge)).not.toThrow();
  const numbers = tasks.map((task) => Number(task.id));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
}

test('any sequence of changes: numbers are never used twice, edges have two sides and no ring, a refusal changes nothing, and both stores agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (steps) => {
      const dir = mkdtempSync(join(tmpdir(), 'waymark-sequence-'));
      try {
        const onDisk = new FileTaskStore({ dir, listId: 'plan' });
        const inMemory = new MemoryTaskStore();
        let lastNumber = 0;
        let before: Task[] = [];
        for (const step of steps) {
          const [fromDisk, fromMemory] = [await run(onDisk, step), await run(inMemory, step)];
          expect(fromDisk).toEqual(fromMemory);
          const tasks = await onDisk.list();
          expect(tasks).toEqual(await inMemory.list());
          checkList(tasks);
          if (step.do === 'create') {
            lastNumber += 1;
            expect(fromDisk).toMatchObject({ id: String(lastNumber) });
          }
          if (typeof fromDisk === 'object' && fromDisk !== null && 'refused' in fromDisk)
            expect(tasks).toEqual(before);
          before = tasks;
        }
        // A store that opens the list afresh reads the same from the disk, and no lock or temporary file is left.
        expect(await new FileTaskStore({ dir, listId: 'plan' }).list()).toEqual(before);
        const files = readdirSync(existsSync(join(dir, 'plan')) ? join(dir, 'plan') : dir).filter(
          (name) => !/^\.(lock|highwatermark)$/.test(name),
        );
        expect(files.sort()).toEqual(before.map((task) => `${task.id}.json`).sort());
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
