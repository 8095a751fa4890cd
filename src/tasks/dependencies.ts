import { WaymarkError } from '../errors.js';
import type { Task } from './task.js';

type TasksById = ReadonlyMap<string, Task>;

function isOpen(task: Task | undefined): boolean {
  return task !== undefined && task.status !== 'completed';
}

/**
 * The ids that still block a task: edges to completed or deleted tasks bind nobody. Every view of a task uses this
 * one answer; the file keeps all edges.
 */
export function openBlockers(task: Task, byId: TasksById): string[] {
  return task.blockedBy.filter((id) => isOpen(byId.get(id)));
}

/** One edge: `blocker` must be completed before `blocked` can start. */
export interface Edge {
  blocker: string;
  blocked: string;
}

/** Whom each task blocks, from both sides of every edge: other programs may have written only one. */
function blocksById(byId: TasksById): Map<string, Set<string>> {
  const blocks = new Map<string, Set<string>>();
  const add = (blocker: string, blocked: string) => {
    const known = blocks.get(blocker);
    if (known) known.add(blocked);
    else blocks.set(blocker, new Set([blocked]));
  };
  for (const task of byId.values()) {
    for (const blocked of task.blocks) add(task.id, blocked);
    for (const blocker of task.blockedBy) add(blocker, task.id);
  }
  return blocks;
}

/**
 * The way from one task to another along `blocks`, over open tasks only, both ends included; null when there is
 * none. A way from `blocked` to `blocker` is what makes the edge between them a ring in which nothing can start.
 */
function openPath(byId: TasksById, from: string, to: string): string[] | null {
  if (!isOpen(byId.get(from)) || !isOpen(byId.get(to))) return null;
  const blocks = blocksById(byId);
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const waiting = [from];
  for (const id of waiting) {
    if (id === to) {
      const path: string[] = [];
      for (let at: string | null | undefined = id; at; at = cameFrom.get(at)) path.unshift(at);
      return path;
    }
    for (const next of blocks.get(id) ?? []) {
      if (cameFrom.has(next) || !isOpen(byId.get(next))) continue;
      cameFrom.set(next, id);
      waiting.push(next);
    }
  }
  return null;
}

function ring(path: readonly string[]): string {
  return path.map((id) => `#${id}`).join(' → ');
}

/** Throws `bad_edge` for an edge to itself or to a task that does not exist. `byId` is the state before. */
export function checkEdgeEnds(byId: TasksById, { blocker, blocked }: Edge): void {
  const edge = `#${blocked} blocked by #${blocker}`;
  if (blocker === blocked) {
    throw new WaymarkError('bad_edge', `Edge refused: ${edge}. A task cannot block itself.`);
  }
  for (const id of [blocker, blocked]) {
    if (byId.has(id)) continue;
    throw new WaymarkError('bad_edge', `Edge refused: ${edge}. There is no task #${id}.`);
  }
}

/** Throws `bad_edge` when the edge closes a ring of open tasks. `byId` is the state with all new edges in place. */
export function checkNoRing(byId: TasksById, { blocker, blocked }: Edge): void {
  const path = openPath(byId, blocked, blocker);
  if (path === null) return;
  throw new WaymarkError(
    'bad_edge',
    `Edge refused: #${blocked} blocked by #${blocker}. It closes the ring ${ring([...path, blocked])}, in which no task could start.`,
  );
}

/**
 * Throws `bad_edge` when a task that is open again stands in a ring of open tasks: the ring was allowed while this
 * task was completed and would bind all of it now. `byId` is the state with the task open.
 */
export function checkReopened(byId: TasksById, id: string): void {
  for (const next of blocksById(byId).get(id) ?? []) {
    const path = openPath(byId, next, id);
    if (path === null) continue;
    throw new WaymarkError(
      'bad_edge',
      `#${id} cannot be opened again: that closes the ring ${ring([id, ...path])}, in which no task could start. Delete one of them, or make a new task.`,
    );
  }
}
