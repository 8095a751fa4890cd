import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oldNamesLeft, runProjectTests, snapshot, writeDemoProject } from '../../src/demo/demo-project.js';
import { JOB_STEPS } from '../../src/demo/job.js';
import { runPlainAgent } from './plain-agent.js';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-demo-test-'));
  await writeDemoProject(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['todo', 'tasks'] as const)('the simulated model with planning %s', (planning) => {
  test('does all ten steps when the plan is put before it again while it mends the tests', async () => {
    const run = await runPlainAgent(folder, planning, true);
    expect(run.summary).toMatch(/The 8 names are changed in 13 files.*1 of them with failures.*29 pass/);
    expect(run.states).toEqual(JOB_STEPS.map(() => 'completed'));
    expect(run.longestGap).toBe(4);
    expect(oldNamesLeft(await snapshot(folder))).toBe(0);
    expect(await runProjectTests(folder, { env: {} })).toEqual({ total: 29, passed: 29, failed: 0 });
  });

  test('loses the plan in step three when nothing puts it before it again', async () => {
    const run = await runPlainAgent(folder, planning, false);
    expect(run.summary).toMatch(/so the job is done/);
    expect(run.states.filter((state) => state === 'completed')).toHaveLength(2);
    expect(run.states.indexOf('in_progress')).toBe(2);
  });
});

test('a call that fails ends the run with what failed, not with a claim of success', async () => {
  rmSync(join(folder, 'src/names.js'));
  const run = await runPlainAgent(folder, 'todo', true);
  expect(run.summary).toMatch(/^I stop here/);
});
