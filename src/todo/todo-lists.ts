import { errorText } from '../errors.js';
import type { Todo } from './todo.js';

export interface TodoEvent {
  /** `agentId ?? sessionId`. */
  key: string;
  /** What was stored before. */
  oldTodos: readonly Todo[];
  /** The list as it was written; stored as `[]` when every item is completed. */
  newTodos: readonly Todo[];
}

export interface TodoWriteOutcome {
  oldTodos: readonly Todo[];
  newTodos: readonly Todo[];
  /** Whether this write finished the list: all items completed, and not the same finished list written again. */
  closedNow: boolean;
}

export interface NumberedTodo extends Todo {
  /** 1, 2, 3 … in the order in which items were first written. Never used again within one key. */
  id: number;
}

interface KeyState {
  stored: readonly Todo[];
  /** The list as last written, finished items and all. */
  written: readonly NumberedTodo[];
  lastId: number;
}

const NOTHING: KeyState = { stored: [], written: [], lastId: 0 };

/** The V1 lists of one session, a list for the main agent and one for each sub-agent. In memory. */
export class TodoLists {
  readonly #lists = new Map<string, KeyState>();
  readonly #listeners = new Set<(event: TodoEvent) => void>();

  /** The stored list of a session or sub-agent; empty when none was written or all of it is done. */
  read(key: string): readonly Todo[] {
    return this.#state(key).stored;
  }

  /** The list as last written, with its numbers; a finished list stays readable here until the next write. */
  readNumbered(key: string): readonly NumberedTodo[] {
    return this.#state(key).written;
  }

  /**
   * Replaces the whole list and tells the listeners. A list whose items are all completed is stored as `[]`.
   * An item keeps its number as long as an item with the same content stays on the list.
   */
  write(key: string, todos: readonly Todo[]): TodoWriteOutcome {
    const before = this.#state(key);
    // Copies: whoever holds the written array must not be able to change the stored list through it.
    const kept = todos.map((todo) => ({ ...todo }));
    const done = todos.every((todo) => todo.status === 'completed');
    const closedNow = done && todos.length > 0 && !sameItems(before.written, todos);
    this.#lists.set(key, { stored: done ? [] : kept, ...number(before, kept) });
    this.#tell({ key, oldTodos: before.stored, newTodos: todos });
    return { oldTodos: before.stored, newTodos: todos, closedNow };
  }

  /** Forgets the list of a sub-agent that has ended. No listener is told: nothing was done to the plan. */
  forget(key: string): void {
    this.#lists.delete(key);
  }

  /** Called after every write. A listener's throw never reaches the writer. Returns the removal. */
  subscribe(listener: (event: TodoEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The write is done by now, so a host's faulty listener may not turn it into a failed call. */
  #tell(event: TodoEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        process.emitWarning(`A todo listener failed: ${errorText(error)}`, 'WaymarkWarning');
      }
    }
  }

  #state(key: string): KeyState {
    return this.#lists.get(key) ?? NOTHING;
  }
}

/** The old numbers go to items of the same content, first come, first served; other items get new ones. */
function number(before: KeyState, todos: readonly Todo[]): Pick<KeyState, 'written' | 'lastId'> {
  const free = new Map<string, number[]>();
  for (const item of before.written) {
    const ids = free.get(item.content);
    if (ids) ids.push(item.id);
    else free.set(item.content, [item.id]);
  }
  let { lastId } = before;
  const written = todos.map((todo) => {
    const id = free.get(todo.content)?.shift() ?? ++lastId;
    return { ...todo, id };
  });
  return { written, lastId };
}

function sameItems(before: readonly Todo[], after: readonly Todo[]): boolean {
  return (
    before.length === after.length &&
    before.every(
      (todo, index) => todo.content === after[index]?.content && todo.status === after[index]?.status,
    )
  );
}
