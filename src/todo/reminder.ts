import { oneLine, type PlanItem } from '../attention/plan-item.js';
import type { Todo } from './todo.js';

/** UTF-16 units of one item in a reminder. */
const MAX_ITEM_CHARS = 120;

/** The open items of a V1 list as a reminder shows them: in progress first, then pending, each in list order. Pure. */
export function openTodoItems(todos: readonly Todo[]): PlanItem[] {
  const toItem = ({ content }: Todo, status: PlanItem['status']): PlanItem => ({
    text: content,
    status,
    line: `[${status}] ${oneLine(content, MAX_ITEM_CHARS)}`,
  });
  return (['in_progress', 'pending'] as const).flatMap((status) =>
    todos.filter((todo) => todo.status === status).map((todo) => toItem(todo, status)),
  );
}
