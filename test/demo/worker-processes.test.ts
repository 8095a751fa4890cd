import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProjectTests, snapshot, usersLeft, writeDemoProject } from '../../src/demo/demo-project.js';

/** The workers are processes of the built package. */
async function builtWorkers(): Promise<typeof import('../../src/demo/workers.js')> {
  const address = new URL('../../dist/demo/workers.js', import.meta.url).href;
  return import(/* @vite-ignore */ address);
}

let root = '';
let where: { folder: string; listsRoot: string; listId: string };
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'waymark-workers-test-'));
  where = { folder: join(root, 'shop'), listsRoot: join(root, 'lists'), listId: 'shared' };
  await writeDemoProject(where.folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('B40 three processes share a list: each task is claimed once, none is lost, and the work is really done', async () => {
  const { runWorkers } = await builtWorkers();
  const report = await runWorkers({ ...where, env: { HOME: root } });
  expect(report).toMatchObject({ processes: 3, tasks: 12, completed: 12, claimed_twice: 0, lost: 0 });
  expect(Object.values(report.tasks_by_worker).reduce((sum, count) => sum + count, 0)).toBe(12);

  const list = join(where.listsRoot, where.listId);
  const files = readdirSync(list).filter((name) => name.endsWith('.json'));
  const tasks = files.map((name) => JSON.parse(readFileSync(join(list, name), 'utf8')));
  expect(tasks).toHaveLength(12);
  expect(tasks.every((task) => task.status === 'completed' && /^worker-[123]$/.test(task.owner))).toBe(true);
  expect(tasks.reduce((sum, task) => sum + task.metadata.changes, 0)).toBe(report.changes);

  expect(usersLeft(await snapshot(where.folder))).toBe(0);
  expect(await runProjectTests(where.folder, { env: {} })).toMatchObject({ failed: 0 });
});

test('a worker that cannot start is an error with what it said', async () => {
  const { runWorkers } = await builtWorkers();
  const broken = { HOME: root, NODE_OPTIONS: '--require=/no/such/module.cjs' };
  await expect(runWorkers({ ...where, env: broken })).rejects.toMatchObject({
    code: 'run_failed',
    message: expect.stringMatching(/worker-[123] ended with code 1 .*: .*no\/such\/module/s),
  });
});

test('an abort ends the workers, and the call says so', async () => {
  const { runWorkers } = await builtWorkers();
  const abort = new AbortController();
  const run = runWorkers({ ...where, env: { HOME: root }, signal: abort.signal });
  setTimeout(() => abort.abort(), 30);
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
});
