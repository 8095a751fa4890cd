import type { Task, TaskStatus } from './task.js';

/** A new task: `pending`, without owner and edges. */
export interface NewTask {
  subject: string;
  description: string;
  activeForm?: string;
  metadata?: Record<string, unknown>;
}

/** What may change. Absent keys stay; a null in `metadata` removes its key. */
export interface TaskChange {
  subject?: string;
  description?: string;
  activeForm?: string;
  status?: TaskStatus;
  owner?: string;
  addBlocks?: readonly string[];
  addBlockedBy?: readonly string[];
  metadata?: Record<string, unknown>;
}

export interface TaskUpdateOutcome {
  before: Task;
  after: Task;
  /** Keys that really changed, as the tools name them (`blocks`, `blockedBy`, `owner`, …); empty when nothing did. */
  updatedFields: string[];
}

/** For every method that may wait for a lock. */
export interface WaitOptions {
  /** Ends the wait for a lock; the call then throws `aborted` and has changed nothing. */
  signal?: AbortSignal | undefined;
}

export interface UpdateOptions extends WaitOptions {
  /** Asked under the lock with the current task; false gives up without a change (`updatedFields` empty). */
  onlyIf?: ((current: Task) => boolean) | undefined;
}

export interface ClaimOptions extends WaitOptions {
  /** Refuses an agent that owns another open task. Default false. */
  exclusive?: boolean | undefined;
}

/** Why a task was not given: the first that applies, in this order. The present owner may claim again. */
export type ClaimOutcome =
  | { ok: true; task: Task }
  | { ok: false; reason: 'task_not_found' }
  | { ok: false; reason: 'already_claimed'; owner: string }
  | { ok: false; reason: 'already_resolved' }
  | { ok: false; reason: 'blocked'; blockedBy: string[] }
  | { ok: false; reason: 'agent_busy'; busyWith: string[] };

export type TaskEvent =
  | { type: 'created'; listId: string; task: Task }
  | { type: 'updated'; listId: string; before: Task; after: Task }
  | { type: 'deleted'; listId: string; task: Task };

/**
 * Where a task list lives. Every implementation passes the same contract tests. All methods are safe to call at
 * once from one process and, for stores on disk, from many. Reads take no lock and see whole tasks only.
 * A throw is a `WaymarkError`: `list_busy` (the wait limit was hit, nothing done), `storage_failed`, `bad_edge`
 * (self-edge, ring of open tasks, unknown id; nothing done), `invalid_id`, `invalid_input` (no JSON file can hold
 * it; nothing done), `aborted`.
 */
export interface TaskStore {
  readonly listId: string;
  /** The folder of the list, or null for a list in memory. */
  readonly location: string | null;
  /** Next number, written before it is returned. */
  create(task: NewTask, options?: WaitOptions): Promise<Task>;
  /**
   * Null when there is no such task. Throws `invalid_id` when `id` cannot name one, `storage_failed` when its
   * file is damaged.
   */
  get(id: string): Promise<Task | null>;
  /** By number, then the ids that are no numbers. */
  list(): Promise<Task[]>;
  /**
   * Applies the change to the task as it is now, edges on both sides or on neither. Null when there is no such task.
   * An empty `owner` or `activeForm` takes the key away. A completed task that would be open again in a ring of
   * open tasks is refused like the edge that makes one.
   */
  update(id: string, change: TaskChange, options?: UpdateOptions): Promise<TaskUpdateOutcome | null>;
  /** Removes the task and every edge to it; its number is never given again. Gives the task, or null. */
  remove(id: string, options?: WaitOptions): Promise<Task | null>;
  /** Sets the owner if the task is free, open and unblocked. `exclusive` refuses an agent that has another open task. */
  claim(id: string, agent: string, options?: ClaimOptions): Promise<ClaimOutcome>;
  /** Removes all tasks, on a user's explicit word only. Numbering goes on. Gives how many were removed. */
  reset(options?: WaitOptions): Promise<number>;
  /** Typed changes made through this object. Returns the removal. A listener's throw never reaches the writer. */
  subscribe(listener: (event: TaskEvent) => void): () => void;
  /** Waits for pending work and lets go of everything. */
  close(): Promise<void>;
}
