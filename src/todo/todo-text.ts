import { oneLine } from '../attention/plan-item.js';
import type { Todo } from './todo.js';

/** UTF-16 units of one item's text. The model wrote it a moment ago; its start is enough to know it by. */
const MAX_ITEM_CHARS = 160;
/** Lines of one list. A longer list is cut with a count, so that an answer stays near 16 kB at most. */
const MAX_LISTED = 100;
/** Dropped items named one by one. */
const MAX_DROPPED_NAMED = 10;

/** The current list for the model's eyes: a line an item with its state, after a line of counts. */
export function todoListText(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The todo list is empty.';
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const lines = todos.slice(0, MAX_LISTED).map((todo) => `[${todo.status}] ${itemText(todo)}`);
  const rest = todos.length - lines.length;
  if (rest > 0) lines.push(`… and ${rest} more`);
  const ending = done === todos.length ? 'All done; the list is cleared for the next plan.' : '';
  return [`Todo list, ${done} of ${todos.length} completed:`, ...lines, ending].filter(Boolean).join('\n');
}

/**
 * Items that were open on the old list and are not on the new one at all, whatever their state there.
 * Compared by text without regard to case and white space; two equal items count as two.
 */
export function droppedTodos(oldTodos: readonly Todo[], newTodos: readonly Todo[]): Todo[] {
  const kept = new Map<string, number>();
  for (const todo of newTodos) kept.set(sameText(todo), (kept.get(sameText(todo)) ?? 0) + 1);
  const takeFromNew = (todo: Todo): boolean => {
    const left = kept.get(sameText(todo)) ?? 0;
    if (left > 0) kept.set(sameText(todo), left - 1);
    return left > 0;
  };
  // Open items first: of two equal ones the open one is the one that must be found again.
  const open = oldTodos.filter((todo) => todo.status !== 'completed');
  return open.filter((todo) => !takeFromNew(todo));
}

/** What a write dropped, named up to a cap; undefined when it dropped nothing. */
export function droppedText(dropped: readonly Todo[]): string | undefined {
  if (dropped.length === 0) return undefined;
  const named = dropped.slice(0, MAX_DROPPED_NAMED).map((todo) => `- [${todo.status}] ${itemText(todo)}`);
  const rest = dropped.length - named.length;
  if (rest > 0) named.push(`… and ${rest} more`);
  const what = dropped.length === 1 ? '1 unfinished item was' : `${dropped.length} unfinished items were`;
  return [
    `Note: ${what} on the old list and not on this one. To keep what was not meant to go, write the list again with it:`,
    ...named,
  ].join('\n');
}

/** The hint for several items in progress; undefined when at most one is. */
export function inProgressHint(todos: readonly Todo[]): string | undefined {
  const count = todos.filter((todo) => todo.status === 'in_progress').length;
  if (count <= 1) return undefined;
  return `Hint: ${count} items are in progress; keep one in progress at a time.`;
}

function itemText(todo: Todo): string {
  return oneLine(todo.content, MAX_ITEM_CHARS);
}

function sameText(todo: Todo): string {
  return todo.content.replace(/\s+/g, ' ').trim().toLowerCase();
}
