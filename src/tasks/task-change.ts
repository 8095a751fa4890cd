import { isDeepStrictEqual } from 'node:util';
import { checkEdgeEnds, checkNoRing, checkReopened, type Edge } from './dependencies.js';
import type { Task } from './task.js';
import type { NewTask, TaskChange } from './task-store.js';

/** A new task: `pending`, without owner and edges. */
export function newTask(id: string, input: NewTask): Task {
  const { subject, description, activeForm, metadata } = input;
  return {
    id,
    subject,
    description,
    ...(activeForm ? { activeForm } : {}),
    status: 'pending',
    blocks: [],
    blockedBy: [],
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** What an update comes to. `writes` are the tasks that changed, in the order in which they must be written. */
export interface UpdatePlan {
  before: Task;
  after: Task;
  updatedFields: string[];
  writes: Task[];
}

/** Whether the change can only be judged with the rest of the list at hand. */
export function needsWholeList(current: Task, change: TaskChange): boolean {
  const opensAgain =
    current.status === 'completed' && change.status !== undefined && change.status !== 'completed';
  return opensAgain || hasEdges(change);
}

/** Whether the change adds edges, and so touches other tasks. */
export function hasEdges(change: TaskChange): boolean {
  return (change.addBlocks?.length ?? 0) > 0 || (change.addBlockedBy?.length ?? 0) > 0;
}

/**
 * The outcome of a change on the list as it is: checked on the combined state, nothing thrown means all of it can
 * be written. Null when there is no such task. Throws `bad_edge`. Pure.
 */
export function planUpdate(
  byId: ReadonlyMap<string, Task>,
  id: string,
  change: TaskChange,
): UpdatePlan | null {
  const before = byId.get(id);
  if (!before) return null;
  const fields = changeFields(before, change);
  const next = new Map(byId).set(id, fields.after);
  const edges = newEdges(byId, id, change);
  for (const { blocker, blocked } of edges) {
    addTo(next, blocker, 'blocks', blocked);
    addTo(next, blocked, 'blockedBy', blocker);
  }
  for (const edge of edges) checkNoRing(next, edge);
  const after = next.get(id) ?? fields.after;
  if (before.status === 'completed' && after.status !== 'completed') checkReopened(next, id);

  const updatedFields = [...fields.updatedFields];
  if (after.blocks.length !== before.blocks.length) updatedFields.push('blocks');
  if (after.blockedBy.length !== before.blockedBy.length) updatedFields.push('blockedBy');
  // The blocked side first: a process that dies between two writes then leaves a task that waits, and never one
  // that is started too early because its blocker was written on the other side only.
  const changed = [...next.values()].filter((task) => task !== byId.get(task.id));
  const gained = (task: Task) => task.blockedBy.length > (byId.get(task.id)?.blockedBy.length ?? 0);
  const writes = [...changed.filter(gained), ...changed.filter((task) => !gained(task))];
  return { before, after, updatedFields, writes };
}

/** The tasks that lose an edge when the task goes; it is in none of them afterwards. Pure. */
export function planRemoval(byId: ReadonlyMap<string, Task>, id: string): Task[] {
  return [...byId.values()]
    .filter((task) => task.id !== id && (task.blocks.includes(id) || task.blockedBy.includes(id)))
    .map((task) => ({
      ...task,
      blocks: task.blocks.filter((other) => other !== id),
      blockedBy: task.blockedBy.filter((other) => other !== id),
    }));
}

function changeFields(before: Task, change: TaskChange): { after: Task; updatedFields: string[] } {
  const after: Task = { ...before };
  const updatedFields: string[] = [];
  for (const key of ['subject', 'description'] as const) {
    const value = change[key];
    if (value === undefined || value === before[key]) continue;
    after[key] = value;
    updatedFields.push(key);
  }
  // An empty text takes an optional field away: on disk such a key is absent, not empty.
  for (const key of ['activeForm', 'owner'] as const) {
    const value = change[key];
    if (value === undefined || value === (before[key] ?? '')) continue;
    if (value === '') delete after[key];
    else after[key] = value;
    updatedFields.push(key);
  }
  if (change.metadata !== undefined) {
    const merged = mergeMetadata(before.metadata ?? {}, change.metadata);
    if (!isDeepStrictEqual(merged, before.metadata ?? {})) {
      if (Object.keys(merged).length > 0) after.metadata = merged;
      else delete after.metadata;
      updatedFields.push('metadata');
    }
  }
  if (change.status !== undefined && change.status !== before.status) {
    after.status = change.status;
    updatedFields.push('status');
  }
  return { after: updatedFields.length > 0 ? after : before, updatedFields };
}

/** Through a Map, because assigning a key named `__proto__` would change the object's prototype instead. */
function mergeMetadata(
  before: Record<string, unknown>,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function newEdges(byId: ReadonlyMap<string, Task>, id: string, change: TaskChange): Edge[] {
  const asked: Edge[] = [
    ...(change.addBlocks ?? []).map((blocked) => ({ blocker: id, blocked })),
    ...(change.addBlockedBy ?? []).map((blocker) => ({ blocker, blocked: id })),
  ];
  for (const edge of asked) checkEdgeEnds(byId, edge);
  return asked.filter(
    ({ blocker, blocked }) =>
      !byId.get(blocker)?.blocks.includes(blocked) || !byId.get(blocked)?.blockedBy.includes(blocker),
  );
}

function addTo(tasks: Map<string, Task>, id: string, side: 'blocks' | 'blockedBy', other: string): void {
  const task = tasks.get(id);
  if (task && !task[side].includes(other)) tasks.set(id, { ...task, [side]: [...task[side], other] });
}
