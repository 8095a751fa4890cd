import { expect, test } from 'vitest';
import { formatPlanReport, planReport } from '../../src/attention/plan-report.js';

let id = 0;
let time = 0;
/** One round with one call and its result, a second later. */
function round(name: string, input: object, result: unknown = {}, ok = true) {
  id += 1;
  time += 1000;
  const use = { type: 'tool_use', id: `t${id}`, name, input };
  const block = { type: 'tool_result', tool_use_id: `t${id}`, content: 'x', is_error: !ok };
  return [
    { type: 'assistant', message: { id: `m${id}`, content: [use] }, timestamp: new Date(time).toISOString() },
    {
      type: 'user',
      message: { content: [block] },
      tool_use_result: result,
      timestamp: new Date(time + 500).toISOString(),
    },
  ];
}
const write = (...states: string[]) => {
  const newTodos = states.map((status, index) => ({ content: `step ${index + 1}`, status, activeForm: 'x' }));
  return round('TodoWrite', { todos: newTodos }, { oldTodos: [], newTodos });
};

test('a careful run: planned first, through in_progress, verified, reminders that helped', () => {
  const report = planReport(
    [
      ...write('in_progress', 'pending'),
      ...round('Bash', { command: 'ls' }),
      ...write('completed', 'in_progress'),
      ...round('Bash', { command: 'npm test' }),
      ...write('completed', 'completed'),
    ],
    { reminderRounds: [2] },
  );
  expect(report).toMatchObject({
    mode: 'todo',
    rounds: 5,
    plannedFirst: true,
    steps: 2,
    actions: 2,
    planWrites: 3,
    jumped: [],
    leftOpen: [],
    reminders: [{ round: 2, followedByWrite: true }],
    verifiedBy: ['passed command "npm test"'],
  });
  expect(report.items.map((item) => [item.states, item.openRounds])).toEqual([
    [['in_progress', 'completed'], 2],
    [['pending', 'in_progress', 'completed'], 4],
  ]);
  expect(formatPlanReport(report)).toContain('Plan before the first action: yes');
});

test('a careless run: acted first, jumped, dropped, left open, nothing verified', () => {
  const report = planReport([
    ...round('Bash', { command: 'rm x' }),
    ...write('pending', 'pending', 'pending'),
    ...write('completed', 'pending'),
  ]);
  expect(report).toMatchObject({
    plannedFirst: false,
    jumped: ['step 1'],
    leftOpen: ['step 2'],
    dropped: ['step 3'],
    verifiedBy: [],
  });
});

test('V2: tasks by number, with deletions and failed calls', () => {
  const report = planReport([
    ...round('TaskCreate', { subject: 'one' }, { task: { id: '1' } }),
    ...round('TaskCreate', { subject: 'two' }, { task: { id: '2' } }),
    ...round('TaskUpdate', { taskId: '1', status: 'in_progress' }, { success: true, taskId: '1' }),
    ...round('TaskUpdate', { taskId: '1', status: 'completed' }, { success: false, taskId: '1' }, false),
    ...round('TaskUpdate', { taskId: '2', status: 'deleted' }, { success: true, taskId: '2' }),
  ]);
  expect(report).toMatchObject({ mode: 'tasks', steps: 2, leftOpen: ['#1 one'], dropped: ['#2 two'] });
});

test('without a plan, and with junk, it says so and throws nothing', () => {
  const junk = [
    { type: 'assistant', message: { content: 7 } },
    { type: 'user' },
    { type: 'x', message: null },
  ];
  expect(formatPlanReport(planReport(junk))).toMatch(/No plan/);
});
