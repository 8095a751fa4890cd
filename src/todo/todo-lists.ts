import type { Todo } from './todo.js';

export interface TodoEvent {
  /** `agentId ?? sessionId`. */
  key: string;
  oldTodos: readonly Todo[];
  newTodos: readonly Todo[];
}

/** The V1 lists of one session, a list for the main agent and one for each sub-agent. In memory. */
export class TodoLists {
  readonly #lists = new Map<string, readonly Todo[]>();
  readonly #listeners = new Set<(event: TodoEvent) => void>();

  /** The list of a session or sub-agent; empty when none was written. */
  read(key: string): readonly Todo[] {
    return this.#lists.get(key) ?? [];
  }

  /** Replaces the whole list and tells the listeners. */
  write(key: string, todos: readonly Todo[]): void {
    const oldTodos = this.read(key);
    this.#lists.set(key, todos);
    for (const listener of this.#listeners) listener({ key, oldTodos, newTodos: todos });
  }

  /** Called after every write. Returns the removal. */
  subscribe(listener: (event: TodoEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
