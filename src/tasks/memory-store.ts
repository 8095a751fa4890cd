import { WaymarkError } from '../errors.js';
import { decideClaim } from './claim.js';
import type { Task } from './task.js';
import { newTask, planRemoval, planUpdate } from './task-change.js';
import { TaskEvents } from './task-events.js';
import { parseTaskFile, prepareTask } from './task-file.js';
import { checkTaskId, highestNumber, sortTasks, tasksById } from './task-id.js';
import type {
  ClaimOptions,
  ClaimOutcome,
  NewTask,
  TaskChange,
  TaskEvent,
  TaskStore,
  TaskUpdateOutcome,
  UpdateOptions,
} from './task-store.js';

export interface MemoryTaskStoreOptions {
  /** Default `memory`. */
  listId?: string | undefined;
  /** Told when a listener throws. */
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * A task list that ends with the process. It holds the bytes a file would hold, so that callers get copies and a
 * value that no file can keep is refused here as well. Each method works in one go, which is all the lock it needs.
 */
export class MemoryTaskStore implements TaskStore {
  readonly listId: string;
  readonly location = null;
  readonly #texts = new Map<string, string>();
  readonly #events: TaskEvents;
  #highWaterMark = 0;

  constructor(options: MemoryTaskStoreOptions = {}) {
    this.listId = options.listId ?? 'memory';
    this.#events = new TaskEvents(options.onWarning ?? (() => {}));
  }

  async create(input: NewTask): Promise<Task> {
    const id = String(Math.max(highestNumber(this.#texts.keys()), this.#highWaterMark) + 1);
    const task = this.#put(newTask(id, input));
    this.#emit({ type: 'created', listId: this.listId, task });
    return task;
  }

  async get(id: string): Promise<Task | null> {
    checkTaskId(id);
    return this.#read(id);
  }

  async list(): Promise<Task[]> {
    return sortTasks(this.#all());
  }

  async update(
    id: string,
    change: TaskChange,
    options: UpdateOptions = {},
  ): Promise<TaskUpdateOutcome | null> {
    checkTaskId(id);
    const current = this.#read(id);
    if (!current) return null;
    if (options.onlyIf && !options.onlyIf(current)) {
      return { before: current, after: current, updatedFields: [] };
    }
    const byId = tasksById(this.#all());
    const plan = planUpdate(byId, id, change);
    if (!plan) return null;
    this.#putAll(plan.writes, byId);
    return { before: plan.before, after: this.#read(id) ?? plan.after, updatedFields: plan.updatedFields };
  }

  async remove(id: string): Promise<Task | null> {
    checkTaskId(id);
    const byId = tasksById(this.#all());
    const task = byId.get(id);
    if (!task) return null;
    this.#highWaterMark = Math.max(this.#highWaterMark, highestNumber(this.#texts.keys()));
    this.#texts.delete(id);
    this.#putAll(planRemoval(byId, id), byId);
    this.#emit({ type: 'deleted', listId: this.listId, task });
    return task;
  }

  async claim(id: string, agent: string, options: ClaimOptions = {}): Promise<ClaimOutcome> {
    checkTaskId(id);
    const byId = tasksById(this.#all());
    const outcome = decideClaim(byId, { id, agent, exclusive: options.exclusive === true });
    if (outcome.ok && byId.get(id)?.owner !== agent) this.#putAll([outcome.task], byId);
    return outcome;
  }

  async reset(): Promise<number> {
    const tasks = this.#all();
    this.#highWaterMark = Math.max(this.#highWaterMark, highestNumber(this.#texts.keys()));
    this.#texts.clear();
    for (const task of tasks) this.#emit({ type: 'deleted', listId: this.listId, task });
    return tasks.length;
  }

  subscribe(listener: (event: TaskEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#events.clear();
  }

  #read(id: string): Task | null {
    const text = this.#texts.get(id);
    if (text === undefined) return null;
    const parsed = parseTaskFile(text, id);
    if (parsed.ok) return parsed.task;
    throw new WaymarkError('storage_failed', `Task #${id} in memory is damaged: ${parsed.reason}`);
  }

  #all(): Task[] {
    return [...this.#texts.keys()].map((id) => this.#read(id)).filter((task) => task !== null);
  }

  #put(task: Task): Task {
    const prepared = prepareTask(task);
    this.#texts.set(task.id, prepared.text);
    return prepared.task;
  }

  /** All of them or, when one cannot be written as JSON, none. */
  #putAll(tasks: readonly Task[], before: ReadonlyMap<string, Task>): void {
    const prepared = tasks.map((task) => prepareTask(task));
    for (const { task, text } of prepared) this.#texts.set(task.id, text);
    for (const { task } of prepared) {
      const old = before.get(task.id);
      if (old) this.#emit({ type: 'updated', listId: this.listId, before: old, after: task });
    }
  }

  #emit(event: TaskEvent): void {
    this.#events.emit([event]);
  }
}
