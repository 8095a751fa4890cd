import { describe, expect, test } from 'vitest';
import { DemoProgress } from '../../src/demo/demo-progress.js';
import { type DemoRun, problemsOf, runLines } from '../../src/demo/demo-report.js';
import type { SDKMessage } from '../../src/protocol/messages.js';

const passing = { total: 29, passed: 29, failed: 0 };
const failing = { total: 29, passed: 27, failed: 2 };
const workers = {
  processes: 3,
  tasks: 12,
  completed: 12,
  claimed_twice: 0,
  lost: 0,
  refused_claims: 5,
  changes: 170,
  tasks_by_worker: { 'worker-1': 4, 'worker-2': 5, 'worker-3': 3 },
  tests_after: passing,
  users_left: 0,
};
const good: Omit<DemoRun, 'ok' | 'problems'> = {
  planning: 'tasks',
  session_id: 's',
  folder: '/tmp/shop',
  duration_ms: 1,
  total_cost_usd: null,
  rounds: 30,
  planned_first: true,
  steps: [{ id: '1', text: 'One', states: ['pending', 'in_progress', 'completed'], end: 'completed' }],
  reminders: [{ round: 9, followed_by_plan_write: true }],
  files_changed: ['a.js'],
  tests_before: passing,
  test_runs: [passing, failing],
  tests_after: passing,
  old_names_left: 0,
  verified_by: ['step #1'],
  task_list: { list_id: 'l', folder: '/tmp/lists/l', files: 22 },
  workers,
};

describe('what a run did not reach', () => {
  test('nothing when all is well', () => {
    expect(problemsOf(good, undefined)).toEqual([]);
  });

  test.each<[string, Partial<typeof good>, RegExp]>([
    ['no plan', { steps: [] }, /no plan/],
    ['an open step', { steps: [{ text: 'Two', states: ['pending'], end: 'pending' }] }, /1 steps .*: Two/],
    ['a dropped step', { steps: [{ text: 'Two', states: ['pending'], end: 'dropped' }] }, /1 steps/],
    ['failing tests', { tests_after: failing }, /27 of 29 pass/],
    [
      'tests that went away',
      { tests_after: { total: 28, passed: 28, failed: 0 } },
      /29 tests before and 28 after/,
    ],
    ['old names', { old_names_left: 3 }, /in 3 places/],
    ['a lost task', { workers: { ...workers, lost: 1 } }, /1 tasks of the workers/],
    ['a task claimed twice', { workers: { ...workers, claimed_twice: 1 } }, /claimed twice/],
    ['tests that the workers broke', { workers: { ...workers, tests_after: failing } }, /after the workers/],
  ])('%s', (_name, change, problem) => {
    expect(problemsOf({ ...good, ...change }, undefined)).toEqual([expect.stringMatching(problem)]);
  });

  test('the failure of the run itself comes first', () => {
    expect(problemsOf({ ...good, old_names_left: 1 }, 'error_max_turns')[0]).toBe('error_max_turns');
  });
});

test('the end of a run names steps, reminders, files, tests, workers and where the task files lie', () => {
  const text = runLines({ ...good, ok: false, problems: ['x'] }).join('\n');
  expect(text).toMatch(/1 of 1 completed; 1 went pending → in_progress → completed/);
  expect(text).toMatch(/1 fired \(after round 9\), 1 followed/);
  expect(text).toMatch(/1 changed: a\.js/);
  expect(text).toMatch(/before 29 pass; after 29 pass/);
  expect(text).toMatch(/2 runs on the way; one with 27 of 29 pass, 2 fail/);
  expect(text).toMatch(/12 of 12 tasks completed, 0 claimed twice, 0 lost; 5 late claims refused/);
  expect(text).toMatch(/22 in \/tmp\/lists\/l/);
  expect(text).toMatch(/NOT REACHED x/);
});

test('the progress has a line for what was said, one for the calls, and one for each run of the tests', () => {
  const lines: string[] = [];
  const progress = new DemoProgress((line) => lines.push(line));
  const calls = [
    { type: 'text', text: 'Now it changes.' },
    { type: 'tool_use', id: 'a', name: 'Edit', input: {} },
    { type: 'tool_use', id: 'b', name: 'Edit', input: {} },
    { type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'node --test' } },
  ];
  const results = [
    { type: 'tool_result', tool_use_id: 'a', content: 'ℹ tests 1\nℹ pass 1\nℹ fail 0' },
    {
      type: 'tool_result',
      tool_use_id: 'c',
      content: [{ type: 'text', text: 'ℹ tests 29\nℹ pass 27\nℹ fail 2' }],
    },
  ];
  progress.see({ type: 'assistant', message: { content: calls } } as object as SDKMessage);
  progress.see({ type: 'user', message: { role: 'user', content: results } } as object as SDKMessage);
  progress.reminded('<system-reminder>\nTwo items are open:\n#1');
  expect(lines).toEqual([
    '  1. Now it changes.',
    '       Edit ×2 · Bash node --test',
    '       ✗ tests: 27 of 29 pass, 2 fail',
    '  ⏰ reminder after round 1: Two items are open:',
  ]);
  expect(progress.testRuns).toEqual([failing]);
});
