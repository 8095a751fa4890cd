import { errorText } from '../errors.js';
import type { TaskEvent } from './task-store.js';

/** The listeners of one store. What they throw goes to `warn`, never to the writer. */
export class TaskEvents {
  readonly #listeners = new Set<(event: TaskEvent) => void>();
  readonly #warn: (message: string) => void;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  subscribe(listener: (event: TaskEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit(events: readonly TaskEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(event);
        } catch (error) {
          this.#warn(`A listener for task changes failed: ${errorText(error)}`);
        }
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
