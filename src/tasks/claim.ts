import { openBlockers } from './dependencies.js';
import type { Task } from './task.js';
import { compareTaskIds } from './task-id.js';
import type { ClaimOutcome } from './task-store.js';

export interface ClaimRequest {
  id: string;
  agent: string;
  /** Refuse an agent that owns another open task. */
  exclusive: boolean;
}

/**
 * Whether an agent gets a task, on the list as it is under the lock. The first reason that applies is given, in
 * the order of the `ClaimOutcome` type; the present owner may claim again. `ok` holds the task with its owner set.
 */
export function decideClaim(byId: ReadonlyMap<string, Task>, request: ClaimRequest): ClaimOutcome {
  const { id, agent, exclusive } = request;
  const task = byId.get(id);
  if (!task) return { ok: false, reason: 'task_not_found' };
  if (task.owner && task.owner !== agent) return { ok: false, reason: 'already_claimed', owner: task.owner };
  if (task.status === 'completed') return { ok: false, reason: 'already_resolved' };
  const blockedBy = openBlockers(task, byId);
  if (blockedBy.length > 0) return { ok: false, reason: 'blocked', blockedBy };
  if (exclusive) {
    const busyWith = [...byId.values()]
      .filter((other) => other.id !== id && other.owner === agent && other.status !== 'completed')
      .map((other) => other.id)
      .sort(compareTaskIds);
    if (busyWith.length > 0) return { ok: false, reason: 'agent_busy', busyWith };
  }
  return { ok: true, task: { ...task, owner: agent } };
}
