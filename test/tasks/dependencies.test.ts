import { describe, expect, test } from 'vitest';
import { decideClaim } from '../../src/tasks/claim.js';
import { checkEdgeEnds, checkNoRing, checkReopened, openBlockers } from '../../src/tasks/dependencies.js';
import type { Task, TaskStatus } from '../../src/tasks/task.js';
import { tasksById } from '../../src/tasks/task-id.js';

type Edge = [blocker: string, blocked: string];

/** Tasks named in `statuses`, with the edges on both sides, or on one where another program wrote only that. */
function list(
  statuses: Record<string, TaskStatus>,
  edges: Edge[],
  side: 'both' | 'blocks' | 'blockedBy' = 'both',
) {
  const tasks = Object.entries(statuses).map(
    ([id, status]): Task => ({
      id,
      subject: id,
      description: '',
      status,
      blocks: side === 'blockedBy' ? [] : edges.filter(([from]) => from === id).map(([, to]) => to),
      blockedBy: side === 'blocks' ? [] : edges.filter(([, to]) => to === id).map(([from]) => from),
    }),
  );
  return tasksById(tasks);
}

const open = { 1: 'pending', 2: 'in_progress', 3: 'pending' } as const;

describe('open blockers', () => {
  test.each([
    [{ 1: 'pending', 2: 'pending', 3: 'pending' }, ['1', '2']],
    [{ 1: 'completed', 2: 'in_progress', 3: 'pending' }, ['2']],
    [{ 1: 'completed', 2: 'completed', 3: 'pending' }, []],
    [{ 2: 'pending', 3: 'pending' }, ['2']],
  ] as Array<[Record<string, TaskStatus>, string[]]>)(
    'B38 with %j are %j: completed and deleted tasks block nobody',
    (statuses, expected) => {
      const byId = list(statuses, []);
      const task = byId.get('3');
      expect(task && openBlockers({ ...task, blockedBy: ['1', '2'] }, byId)).toEqual(expected);
    },
  );
});

describe('rings', () => {
  const bad = expect.objectContaining({ code: 'bad_edge' });

  test.each(['both', 'blocks', 'blockedBy'] as const)(
    'B35 1→2→3→1 is refused and shown, with the edges written on %s',
    (side) => {
      const byId = list(
        open,
        [
          ['1', '2'],
          ['2', '3'],
          ['3', '1'],
        ],
        side,
      );
      expect(() => checkNoRing(byId, { blocker: '3', blocked: '1' })).toThrow(bad);
      expect(() => checkNoRing(byId, { blocker: '3', blocked: '1' })).toThrow('#1 → #2 → #3 → #1');
    },
  );

  test('B35 a ring through a completed task binds nobody', () => {
    const byId = list({ ...open, 2: 'completed' }, [
      ['1', '2'],
      ['2', '3'],
      ['3', '1'],
    ]);
    expect(() => checkNoRing(byId, { blocker: '3', blocked: '1' })).not.toThrow();
  });

  test('two ways to the same task are no ring', () => {
    const byId = list({ ...open, 4: 'pending' }, [
      ['1', '2'],
      ['1', '3'],
      ['2', '4'],
      ['3', '4'],
    ]);
    expect(() => checkNoRing(byId, { blocker: '3', blocked: '4' })).not.toThrow();
  });

  test('B35 a task that opens again is judged like the edge that would close the ring', () => {
    const ring = list(open, [
      ['1', '2'],
      ['2', '1'],
    ]);
    expect(() => checkReopened(ring, '1')).toThrow(bad);
    expect(() =>
      checkReopened(
        list({ ...open, 2: 'completed' }, [
          ['1', '2'],
          ['2', '1'],
        ]),
        '1',
      ),
    ).not.toThrow();
  });

  test('a ring of thousands of tasks is found without running out of stack', () => {
    const count = 5_000;
    const ids = Array.from({ length: count }, (_, index) => String(index + 1));
    const edges = ids.map((id, index): Edge => [id, ids[(index + 1) % count] ?? '1']);
    const byId = tasksById(
      edges.map(
        ([id, next]): Task => ({
          id,
          subject: id,
          description: '',
          status: 'pending',
          blocks: [next],
          blockedBy: [],
        }),
      ),
    );
    expect(() => checkNoRing(byId, { blocker: String(count), blocked: '1' })).toThrow(bad);
  });

  test.each([
    [{ blocker: '1', blocked: '1' }, 'cannot block itself'],
    [{ blocker: '9', blocked: '1' }, 'no task #9'],
    [{ blocker: '1', blocked: '9' }, 'no task #9'],
  ])('B35 the edge %j is refused: %s', (edge, says) => {
    expect(() => checkEdgeEnds(list(open, []), edge)).toThrow(bad);
    expect(() => checkEdgeEnds(list(open, []), edge)).toThrow(says);
  });
});

describe('the decision on a claim', () => {
  const tasks = (own: Partial<Task>) => {
    const byId = list({ 1: 'pending', 2: 'pending', 3: 'in_progress' }, []);
    const [first, third] = [byId.get('1'), byId.get('3')];
    if (first) byId.set('1', { ...first, ...own });
    if (third) byId.set('3', { ...third, owner: 'me' });
    return byId;
  };
  const all = { owner: 'other', status: 'completed', blockedBy: ['2'] } as const;

  test.each([
    ['9', {}, { reason: 'task_not_found' }],
    ['1', { ...all, blockedBy: ['2'] }, { reason: 'already_claimed', owner: 'other' }],
    ['1', { status: 'completed', blockedBy: ['2'] }, { reason: 'already_resolved' }],
    ['1', { owner: 'me', status: 'completed' }, { reason: 'already_resolved' }],
    ['1', { blockedBy: ['2'] }, { reason: 'blocked', blockedBy: ['2'] }],
    ['1', {}, { reason: 'agent_busy', busyWith: ['3'] }],
  ] as Array<[string, Partial<Task>, object]>)('B40 of task %s with %j: %j', (id, own, refusal) => {
    const outcome = decideClaim(tasks(own), { id, agent: 'me', exclusive: true });
    expect(outcome).toEqual({ ok: false, ...refusal });
  });

  test('B40 a free task gets the owner; without `exclusive` other work does not matter', () => {
    const outcome = decideClaim(tasks({}), { id: '1', agent: 'me', exclusive: false });
    expect(outcome).toMatchObject({ ok: true, task: { id: '1', owner: 'me' } });
  });
});
