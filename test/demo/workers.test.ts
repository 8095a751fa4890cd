import { expect, test } from 'vitest';
import type { WorkerOutcome } from '../../src/demo/worker.js';
import { countFromDisk } from '../../src/demo/workers.js';
import type { Task } from '../../src/tasks/task.js';

const task = (id: string, status: Task['status'], owner: string): [string, Task] => [
  id,
  { id, subject: id, description: '', status, owner, blocks: [], blockedBy: [] },
];
const outcome = (name: string, claimed: string[], refused = 0): WorkerOutcome => ({
  name,
  pid: 1,
  claimed,
  refused,
  changes: claimed.length,
});
const onDisk = new Map([
  task('1', 'completed', 'a'),
  task('2', 'completed', 'b'),
  task('3', 'completed', 'a'),
]);

test('every task claimed once and none lost is counted as such', () => {
  const report = countFromDisk(['1', '2', '3'], onDisk, [
    outcome('a', ['1', '3'], 2),
    outcome('b', ['2'], 1),
  ]);
  expect(report).toEqual({
    processes: 2,
    tasks: 3,
    completed: 3,
    claimed_twice: 0,
    lost: 0,
    refused_claims: 3,
    changes: 3,
    tasks_by_worker: { a: 2, b: 1 },
  });
});

test.each([
  [
    'two workers were given the same task',
    ['1', '2', '3'],
    onDisk,
    [
      ['1', '3'],
      ['1', '2'],
    ],
    1,
    0,
  ],
  ['the owner on disk is another than the one who got it', ['2'], onDisk, [['2'], []], 1, 0],
  [
    'a task is still open',
    ['1', '4'],
    new Map([...onDisk, task('4', 'in_progress', 'a')]),
    [['1', '4'], []],
    0,
    1,
  ],
  ['a task is gone', ['1', '9'], onDisk, [['1'], []], 0, 1],
])('it shows when %s', (_name, ids, disk, [a, b], claimedTwice, lost) => {
  const report = countFromDisk(ids, disk, [outcome('a', a ?? []), outcome('b', b ?? [])]);
  expect(report).toMatchObject({ claimed_twice: claimedTwice, lost });
});
