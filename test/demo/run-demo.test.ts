import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DemoOptions, DemoReport, DemoRun } from '../../src/demo/run-demo.js';

/** The demo of the built package: its workers are processes. */
async function demo(options: Partial<DemoOptions> & Pick<DemoOptions, 'planning'>) {
  const address = new URL('../../dist/demo/run-demo.js', import.meta.url).href;
  const { runDemo }: typeof import('../../src/demo/run-demo.js') = await import(/* @vite-ignore */ address);
  const lines: string[] = [];
  const report = await runDemo({
    write: (line) => lines.push(line),
    env: { PATH: process.env.PATH, HOME: '/nonexistent-home', TMPDIR: root },
    ...options,
  });
  return { report, lines };
}

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waymark-run-demo-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function onlyRun(report: DemoReport): DemoRun {
  const [run, ...others] = report.runs;
  if (!run || others.length > 0) throw new Error(`expected one run, got ${report.runs.length}`);
  return run;
}

describe.each(['todo', 'tasks'] as const)('the demo with planning %s', (planning) => {
  test('does the ten steps, mends two failing tests on the way, and reports what happened', async () => {
    const { report, lines } = await demo({ planning });
    const run = onlyRun(report);
    expect(run.problems).toEqual([]);
    expect(report).toMatchObject({ simulated_model: true, total_cost_usd: null, ok: true });
    expect(run.planned_first).toBe(true);
    expect(run.steps).toHaveLength(10);
    for (const step of run.steps)
      expect(step.states, step.text).toEqual(['pending', 'in_progress', 'completed']);
    expect(run.tests_before).toEqual({ total: 29, passed: 29, failed: 0 });
    expect(run.test_runs.map((counts) => counts.failed)).toEqual([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(run.tests_after).toEqual({ total: 29, passed: 29, failed: 0 });
    expect(run.files_changed).toHaveLength(13);
    expect(run.old_names_left).toBe(0);
    expect(run.reminders).toEqual([{ round: expect.any(Number), followed_by_plan_write: true }]);
    expect(lines[0]).toContain('simulated');
    expect(lines.at(-1)).toContain('simulated');
    expect(lines.join('\n')).toContain(run.folder);
    expect(existsSync(join(run.folder, 'src/records.js'))).toBe(true);
  });
});

test('in tasks mode three processes share the list on disk, in a home of the run, not of the user', async () => {
  const { report } = await demo({ planning: 'tasks' });
  const run = onlyRun(report);
  expect(run.workers).toMatchObject({
    processes: 3,
    tasks: 13,
    completed: 13,
    claimed_twice: 0,
    lost: 0,
    users_left: 0,
    tests_after: { failed: 0 },
  });
  const list = run.task_list?.folder ?? '';
  expect(list.startsWith(report.folder)).toBe(true);
  expect(existsSync('/nonexistent-home')).toBe(false);
  const files = readdirSync(list).filter((name) => name.endsWith('.json'));
  expect(run.task_list?.files).toBe(23);
  const tasks = files.map((name) => JSON.parse(readFileSync(join(list, name), 'utf8')));
  expect(tasks.filter((task) => task.status === 'completed')).toHaveLength(23);
});

test('without reminders the same job loses its plan in step three, and the report says so', async () => {
  const { report, lines } = await demo({ planning: 'todo', reminders: false });
  const run = onlyRun(report);
  expect(report.ok).toBe(false);
  expect(run.reminders).toEqual([]);
  expect(run.steps.filter((step) => step.end === 'completed')).toHaveLength(2);
  expect(run.problems.join('\n')).toMatch(
    /8 steps are not completed: Rename fetchUser.*\nold names are left/s,
  );
  expect(lines.join('\n')).toContain('NOT REACHED');
});

test('both modes run one after the other, and as JSON the report is all that is written', async () => {
  const { report, lines } = await demo({ planning: 'both', json: true });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual(report);
  expect(report.runs.map(({ planning, ok }) => [planning, ok])).toEqual([
    ['todo', true],
    ['tasks', true],
  ]);
});

test('live without a key is refused before anything starts', async () => {
  await expect(demo({ planning: 'todo', live: true })).rejects.toMatchObject({ code: 'no_credentials' });
});

test('an abort ends the demo', async () => {
  const abort = new AbortController();
  const run = demo({
    planning: 'todo',
    signal: abort.signal,
    write: (line) => {
      if (line.includes('tests:')) abort.abort();
    },
  });
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
});
