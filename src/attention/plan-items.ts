import { isRecord, type TranscriptCall } from './transcript.js';

export type PlanStatus = 'pending' | 'in_progress' | 'completed';

/** An item of the plan and the way it took. */
export interface ItemHistory {
  /** The task's number in V2; absent in V1. */
  id?: string;
  text: string;
  /** The states it was seen in, each change once. */
  states: PlanStatus[];
  /** Round and time (ms since 1970) of its first sight and of its end; an item that is still open has no end. */
  opened: { round: number; time?: number };
  closed?: { round: number; time?: number };
  /** It left the plan without being completed. */
  dropped: boolean;
}

export interface PlanTrace {
  mode: 'todo' | 'tasks' | 'both' | 'none';
  items: ItemHistory[];
  /** Successful calls that changed the plan, in order. */
  writes: TranscriptCall[];
}

/** Follows every item of the plan, V1 or V2, through a transcript's calls. Failed calls change nothing. */
export function tracePlan(calls: readonly TranscriptCall[]): PlanTrace {
  const todos: TodoTrace = { all: [], current: [] };
  const tasks: ItemHistory[] = [];
  const writes: TranscriptCall[] = [];
  for (const call of calls) {
    if (call.ok !== true) continue;
    const wrote =
      call.name === 'TodoWrite' || call.name === 'Todo' ? followTodos(todos, call) : followTask(tasks, call);
    if (wrote) writes.push(call);
  }
  const mode =
    todos.all.length > 0 ? (tasks.length > 0 ? 'both' : 'todo') : tasks.length > 0 ? 'tasks' : 'none';
  return { mode, items: [...todos.all, ...tasks], writes };
}

interface TodoTrace {
  all: ItemHistory[];
  /** The items of the list as last written. */
  current: ItemHistory[];
}

function followTodos(trace: TodoTrace, call: TranscriptCall): boolean {
  if (call.name === 'Todo' && call.input.action === 'view') return false;
  const list = listOf(call.result, 'newTodos') ?? listOf(call.input, 'todos');
  if (list === undefined) return false;
  // After a finished list a new plan begins: an open item of the same text is then another item.
  const finished = trace.current.every((item) => item.closed !== undefined);
  const free = new Set(trace.current);
  const next: ItemHistory[] = [];
  for (const todo of list) {
    const status = statusOf(todo.status);
    if (status === undefined || typeof todo.content !== 'string') continue;
    const { content } = todo;
    const same = (item: ItemHistory): boolean => item.text === content && !next.includes(item);
    const known =
      [...free].find((item) => same(item) && (!finished || status === 'completed')) ??
      // A finished item that an earlier write left out and this one shows again.
      (status === 'completed'
        ? trace.all.findLast((item) => same(item) && item.states.at(-1) === 'completed')
        : undefined);
    const item = known ?? newItem({ text: content }, status, call);
    if (known) moveTo(known, status, call);
    else trace.all.push(item);
    free.delete(item);
    next.push(item);
  }
  for (const item of free) drop(item, call);
  trace.current = next;
  return true;
}

function followTask(items: ItemHistory[], call: TranscriptCall): boolean {
  const { input, result } = call;
  if (call.name === 'TaskCreate') {
    const id = createdId(call);
    const text = typeof input.subject === 'string' ? input.subject : '';
    items.push(newItem(id === undefined ? { text } : { id, text }, 'pending', call));
    return true;
  }
  if (call.name !== 'TaskUpdate' || (isRecord(result) && result.success === false)) return false;
  const id = idOf(isRecord(result) && result.taskId !== undefined ? result.taskId : taskIdOf(input));
  if (id === undefined || (!isRecord(result) && call.resultText.includes('not found'))) return false;
  let item = items.find((known) => known.id === id);
  if (item === undefined) {
    // Made before this transcript, or by another agent: what is known of it begins here.
    const before = isRecord(result) && isRecord(result.statusChange) ? result.statusChange.from : undefined;
    item = newItem({ id, text: '' }, statusOf(before) ?? 'pending', call);
    items.push(item);
  }
  if (typeof input.subject === 'string') item.text = input.subject;
  const status = statusOf(input.status);
  if (input.status === 'deleted') drop(item, call);
  else if (status !== undefined) moveTo(item, status, call);
  return true;
}

function newItem(name: { id?: string; text: string }, status: PlanStatus, call: TranscriptCall): ItemHistory {
  const item: ItemHistory = { ...name, states: [], opened: momentOf(call), dropped: false };
  moveTo(item, status, call);
  return item;
}

function moveTo(item: ItemHistory, status: PlanStatus, call: TranscriptCall): void {
  if (item.states.at(-1) !== status) item.states.push(status);
  if (status !== 'completed') delete item.closed;
  else item.closed ??= momentOf(call);
}

function drop(item: ItemHistory, call: TranscriptCall): void {
  // A finished task that is deleted was done; only its record is gone.
  if (item.closed !== undefined) return;
  item.dropped = true;
  item.closed = momentOf(call);
}

function momentOf({ round, time }: TranscriptCall): { round: number; time?: number } {
  return time === undefined ? { round } : { round, time };
}

function listOf(holder: unknown, key: string): Array<Record<string, unknown>> | undefined {
  const list = isRecord(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

function createdId({ result, resultText }: TranscriptCall): string | undefined {
  const given = isRecord(result) && isRecord(result.task) ? idOf(result.task.id) : undefined;
  return given ?? /#([A-Za-z0-9_-]+)/.exec(resultText)?.[1];
}

/** The names of the key that TaskUpdate accepts. */
function taskIdOf(input: Record<string, unknown>): unknown {
  return input.taskId ?? input.task_id ?? input.id;
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function statusOf(value: unknown): PlanStatus | undefined {
  return value === 'pending' || value === 'in_progress' || value === 'completed' ? value : undefined;
}
