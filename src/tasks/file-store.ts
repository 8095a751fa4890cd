import { join } from 'node:path';
import { systemClock } from '../environment.js';
import { errorText, systemCode, WaymarkError } from '../errors.js';
import { createExclusive, type Replacement, replaceAll, writeAtomic } from './atomic-write.js';
import { decideClaim } from './claim.js';
import { type Disk, nodeDisk } from './disk.js';
import { raiseHighWaterMark, readHighWaterMark } from './high-water-mark.js';
import { listFolderName } from './list-id.js';
import { DEFAULT_LOCK_WAIT_MS } from './list-lock.js';
import { ListReader } from './list-reader.js';
import { LockScope } from './lock-scope.js';
import type { Task } from './task.js';
import { hasEdges, needsWholeList, newTask, planRemoval, planUpdate } from './task-change.js';
import { TaskEvents } from './task-events.js';
import { prepareTask } from './task-file.js';
import { checkTaskId, highestNumber, tasksById } from './task-id.js';
import { resolveListFolder, taskPath } from './task-path.js';
import type {
  ClaimOptions,
  ClaimOutcome,
  NewTask,
  TaskChange,
  TaskEvent,
  TaskStore,
  TaskUpdateOutcome,
  UpdateOptions,
  WaitOptions,
} from './task-store.js';

export interface FileTaskStoreOptions {
  /** The folder that holds the lists; the list's own folder lies in it. */
  dir: string;
  /** The list's name; `listFolderName` makes the folder's name of it. */
  listId: string;
  /** How long a change waits for a lock, milliseconds. Default 30,000. */
  lockWaitMs?: number | undefined;
  /** Told once about each file that cannot be used, and about listeners that throw. */
  onWarning?: ((message: string) => void) | undefined;
  /** For tests: a disk that fails. */
  disk?: Disk | undefined;
}

/** How often one change starts again because its lock was lost (a machine that slept, a stuck event loop). */
const LOST_LOCK_RETRIES = 2;

/** What a change comes to: its answer, and the events to tell when the locks are free again. */
interface Done<T> {
  value: T;
  events: TaskEvent[];
}

/**
 * A task list in a folder, one file a task, shared by processes. Create, remove, reset, claims and changes of
 * several files hold the list's lock `.lock.lock/`; every file that is rewritten or removed is locked by
 * `<id>.json.lock/` as well, because a change of one task alone takes only that one. Locks are taken in this order,
 * the list first, then the files by id, so that no two holders wait for each other.
 */
export class FileTaskStore implements TaskStore {
  readonly listId: string;
  readonly location: string;
  readonly #root: string;
  readonly #lockWaitMs: number;
  readonly #disk: Disk;
  readonly #reader: ListReader;
  readonly #events: TaskEvents;
  readonly #pending = new Set<Promise<unknown>>();
  #touched = false;

  constructor(options: FileTaskStoreOptions) {
    const warn = options.onWarning ?? (() => {});
    this.listId = listFolderName(options.listId);
    this.#root = options.dir;
    this.location = join(options.dir, this.listId);
    this.#lockWaitMs = options.lockWaitMs ?? DEFAULT_LOCK_WAIT_MS;
    this.#disk = options.disk ?? nodeDisk;
    this.#reader = new ListReader(this.#disk, warn);
    this.#events = new TaskEvents(warn);
  }

  create(input: NewTask, options: WaitOptions = {}): Promise<Task> {
    return this.#change(options, async (folder, scope) => {
      const task = await scope.lock(listLock(folder), async () => {
        const mark = await readHighWaterMark(this.#disk, folder);
        let number = Math.max(highestNumber(await this.#reader.ids(folder)), mark) + 1;
        await scope.assertHeld();
        // The lock makes the number ours; creating exclusively keeps a task whole even where a lock was lost.
        for (;;) {
          const prepared = prepareTask(newTask(String(number), input));
          const path = taskPath(folder, prepared.task.id);
          if (await createExclusive(this.#disk, path, prepared.text)) return prepared.task;
          number += 1;
        }
      });
      return { value: task, events: [{ type: 'created', listId: this.listId, task }] };
    });
  }

  get(id: string): Promise<Task | null> {
    return this.#read(id, async (folder) => (await this.#reader.one(folder, id))?.task ?? null, null);
  }

  list(): Promise<Task[]> {
    return this.#read(undefined, (folder) => this.#reader.all(folder), []);
  }

  async update(
    id: string,
    change: TaskChange,
    options: UpdateOptions = {},
  ): Promise<TaskUpdateOutcome | null> {
    if ((await this.get(id)) === null) return null;
    if (!hasEdges(change)) {
      const outcome = await this.#updateAlone(id, change, options);
      if (outcome !== 'needs whole list') return outcome;
    }
    return this.#change(options, (folder, scope) =>
      scope.lock<Done<TaskUpdateOutcome | null>>(listLock(folder), async () => {
        const plan = planUpdate(tasksById(await this.#reader.all(folder)), id, change);
        if (!plan) return { value: null, events: [] };
        const touched = [id, ...(change.addBlocks ?? []), ...(change.addBlockedBy ?? [])];
        return scope.lock<Done<TaskUpdateOutcome | null>>(taskLocks(folder, touched), async () => {
          // Read again: until the files' own locks were held, a change of one task alone could come between.
          const byId = tasksById(await this.#reader.all(folder));
          const current = byId.get(id);
          if (!current) return { value: null, events: [] };
          if (options.onlyIf && !options.onlyIf(current)) return unchanged(current);
          const fresh = planUpdate(byId, id, change);
          if (!fresh) return { value: null, events: [] };
          const { tasks, events } = await this.#rewrite(folder, scope, fresh.writes);
          const after = tasks.get(id) ?? fresh.after;
          return { value: { before: fresh.before, after, updatedFields: fresh.updatedFields }, events };
        });
      }),
    );
  }

  /** A change of one task that no other task has a say in: under the lock of its file alone. */
  #updateAlone(
    id: string,
    change: TaskChange,
    options: UpdateOptions,
  ): Promise<TaskUpdateOutcome | null | 'needs whole list'> {
    return this.#change(options, (folder, scope) =>
      scope.lock<Done<TaskUpdateOutcome | null | 'needs whole list'>>(taskLocks(folder, [id]), async () => {
        const current = (await this.#reader.one(folder, id))?.task;
        if (!current) return { value: null, events: [] };
        if (options.onlyIf && !options.onlyIf(current)) return unchanged(current);
        if (needsWholeList(current, change)) return { value: 'needs whole list', events: [] };
        const plan = planUpdate(new Map([[id, current]]), id, change);
        if (!plan || plan.writes.length === 0) return unchanged(current);
        const { text, task: after } = prepareTask(plan.after);
        await scope.assertHeld();
        await writeAtomic(this.#disk, taskPath(folder, id), text);
        const { before, updatedFields } = plan;
        return {
          value: { before, after, updatedFields },
          events: [{ type: 'updated', listId: this.listId, before, after }],
        };
      }),
    );
  }

  async remove(id: string, options: WaitOptions = {}): Promise<Task | null> {
    if ((await this.get(id)) === null) return null;
    return this.#change(options, (folder, scope) =>
      scope.lock<Done<Task | null>>(listLock(folder), async () => {
        const neighbours = planRemoval(tasksById(await this.#reader.all(folder)), id);
        const touched = [id, ...neighbours.map((task) => task.id)];
        return scope.lock<Done<Task | null>>(taskLocks(folder, touched), async () => {
          const removed = await this.#reader.one(folder, id);
          if (!removed) return { value: null, events: [] };
          const byId = tasksById(await this.#reader.all(folder));
          const writes = planRemoval(byId, id).filter((task) => touched.includes(task.id));
          await scope.assertHeld();
          // The mark first, so that the number is never free; then the task; then the edges to it. A process that
          // dies on the way leaves edges to nobody, which bind nobody, and never a task that lost its blocker.
          await raiseHighWaterMark(this.#disk, folder, highestNumber(await this.#reader.ids(folder)));
          const gone = { path: taskPath(folder, id), before: removed.text, after: null };
          const { events } = await this.#rewrite(folder, scope, writes, [gone]);
          const { task } = removed;
          return { value: task, events: [...events, { type: 'deleted', listId: this.listId, task }] };
        });
      }),
    );
  }

  claim(id: string, agent: string, options: ClaimOptions = {}): Promise<ClaimOutcome> {
    const request = { id, agent, exclusive: options.exclusive === true };
    return this.#read(
      id,
      () =>
        this.#change(options, (folder, scope) =>
          scope.lock(listLock(folder), () =>
            scope.lock<Done<ClaimOutcome>>(taskLocks(folder, [id]), async () => {
              const byId = tasksById(await this.#reader.all(folder));
              const outcome = decideClaim(byId, request);
              if (!outcome.ok || byId.get(id)?.owner === agent) return { value: outcome, events: [] };
              const { tasks, events } = await this.#rewrite(folder, scope, [outcome.task]);
              return { value: { ok: true, task: tasks.get(id) ?? outcome.task }, events };
            }),
          ),
        ),
      { ok: false, reason: 'task_not_found' },
    );
  }

  reset(options: WaitOptions = {}): Promise<number> {
    // Outside of the change, which may have to start again in the middle.
    const events: TaskEvent[] = [];
    const removeAll = () =>
      this.#change(options, (folder, scope) =>
        scope.lock(listLock(folder), async () => {
          await scope.assertHeld();
          await raiseHighWaterMark(this.#disk, folder, highestNumber(await this.#reader.ids(folder)));
          for (const task of await this.#reader.all(folder)) {
            await scope.lock(taskLocks(folder, [task.id]), async () => {
              await scope.assertHeld();
              await this.#disk.rm(taskPath(folder, task.id), { force: true });
            });
            events.push({ type: 'deleted', listId: this.listId, task });
          }
          return { value: events.length, events };
        }),
      );
    return this.#read(undefined, removeAll, 0);
  }

  subscribe(listener: (event: TaskEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#events.clear();
  }

  /** Replaces the tasks' files in this order after the `removals`: all or none. Their locks must be held. */
  async #rewrite(
    folder: string,
    scope: LockScope,
    writes: readonly Task[],
    removals: readonly Replacement[] = [],
  ): Promise<{ tasks: Map<string, Task>; events: TaskEvent[] }> {
    const replacements: Replacement[] = [...removals];
    const tasks = new Map<string, Task>();
    const events: TaskEvent[] = [];
    for (const write of writes) {
      const old = await this.#reader.one(folder, write.id);
      if (!old) continue;
      const { text, task } = prepareTask(write);
      replacements.push({ path: taskPath(folder, write.id), before: old.text, after: text });
      tasks.set(task.id, task);
      events.push({ type: 'updated', listId: this.listId, before: old.task, after: task });
    }
    await scope.assertHeld();
    await replaceAll(this.#disk, replacements);
    return { tasks, events };
  }

  /** Runs a read on the resolved folder; `absent` is the answer when there is no folder, and none is made. */
  async #read<T>(id: string | undefined, work: (folder: string) => Promise<T>, absent: T): Promise<T> {
    if (id !== undefined) checkTaskId(id);
    try {
      const folder = await resolveListFolder(this.#disk, this.#root, this.listId);
      if (folder === null) return absent;
      await this.#touch(folder);
      return await work(folder);
    } catch (error) {
      throw this.#storageError(error);
    }
  }

  /** Runs a change on the folder, which is made first, and tells its events when the locks are free again. */
  async #change<T>(
    options: WaitOptions,
    work: (folder: string, scope: LockScope) => Promise<Done<T>>,
  ): Promise<T> {
    const pending = this.#attempt(options, work);
    this.#pending.add(pending);
    try {
      const { value, events } = await pending;
      this.#events.emit(events);
      return value;
    } finally {
      this.#pending.delete(pending);
    }
  }

  async #attempt<T>(
    { signal }: WaitOptions,
    work: (folder: string, scope: LockScope) => Promise<Done<T>>,
  ): Promise<Done<T>> {
    const waitMs = this.#lockWaitMs;
    const limits = { deadline: systemClock() + waitMs, waitMs, signal };
    for (let lost = 0; ; lost += 1) {
      try {
        return await work(await this.#makeFolder(), new LockScope(limits));
      } catch (error) {
        // A lost lock is noticed before the first write, so the change can start again from what is there now.
        const again = error instanceof WaymarkError && error.code === 'lock_lost' && lost < LOST_LOCK_RETRIES;
        if (!again) throw this.#storageError(error);
      }
    }
  }

  async #makeFolder(): Promise<string> {
    await this.#disk.mkdir(this.location, { recursive: true });
    const folder = await resolveListFolder(this.#disk, this.#root, this.listId);
    if (folder === null)
      throw new WaymarkError('storage_failed', `${this.location} vanished when it was made.`);
    // Programs that lock with resolved paths need the lock's target to exist.
    await this.#disk.writeFile(join(folder, '.lock'), '', { flag: 'wx' }).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    return folder;
  }

  /** Once a store: a Claude Code process removes lists whose folder was not touched for 30 days. */
  async #touch(folder: string): Promise<void> {
    if (this.#touched) return;
    this.#touched = true;
    const now = new Date(systemClock());
    await this.#disk.utimes(folder, now, now).catch(() => {
      // A list that may only be read cannot be touched, and can be read all the same.
    });
  }

  #storageError(error: unknown): unknown {
    if (error instanceof WaymarkError || systemCode(error) === undefined) return error;
    return new WaymarkError(
      'storage_failed',
      `Task list ${this.location} cannot be used: ${errorText(error)}. Nothing was changed.`,
      { cause: error, details: { path: this.location } },
    );
  }
}

function listLock(folder: string): string[] {
  return [join(folder, '.lock')];
}

function taskLocks(folder: string, ids: readonly string[]): string[] {
  return [...new Set(ids)].sort().map((id) => taskPath(folder, id));
}

function unchanged(current: Task): Done<TaskUpdateOutcome> {
  return { value: { before: current, after: current, updatedFields: [] }, events: [] };
}
