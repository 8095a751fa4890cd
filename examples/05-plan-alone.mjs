// The planning parts without our loop, for a program that has one of its own.
import assert from 'node:assert/strict';
import { attentionCheck, explainTodoGate, isTodoV2Enabled, TodoManager } from 'waymark';

// The gate: which planning tools to offer.
assert.equal(isTodoV2Enabled({ env: {}, interactive: false }), false);
assert.deepEqual(explainTodoGate({ env: { CLAUDE_CODE_ENABLE_TASKS: 'yes' } }), {
  enabled: true,
  reason: 'CLAUDE_CODE_ENABLE_TASKS=yes',
});

// A todo list with one item in progress at a time.
const todos = new TodoManager();
const first = todos.add('Read the report');
const second = todos.add('Answer it');
todos.update(first, 'in_progress');
todos.update(second, 'in_progress');
const view = todos.view();
assert.match(view, /○ .*Read the report/);
assert.match(view, /◐ .*Answer it/);

// When to put the plan before the model again: after three rounds without a write.
const settings = { afterRounds: 3, gapRounds: 3, maxFires: 3, startHintAfterRounds: 10 };
const round = { wrotePlan: false, reminded: false };
const log = [{ wrotePlan: true, reminded: false }, round, round];
assert.equal(attentionCheck({ log, openCount: 2, settings }).remind, false);
assert.equal(attentionCheck({ log: [...log, round], openCount: 2, settings }).remind, true);
