import { oneLine, type PlanItem } from '../attention/plan-item.js';
import type { Task } from './task.js';

/** UTF-16 units of a subject in a reminder. */
const MAX_SUBJECT_CHARS = 120;
/** Blockers named on one line. */
const MAX_BLOCKERS = 5;

/**
 * The open tasks as a reminder shows them, with numbers, owners and open blockers. In progress first (the agent's own
 * before those of others), then pending ones that can start, then blocked ones, each in list order. Tasks with
 * `metadata._internal` are left out. Pure.
 */
export function openTaskItems(tasks: readonly Task[], options: { agentName?: string } = {}): PlanItem[] {
  const open = new Set(tasks.filter((task) => task.status !== 'completed').map((task) => task.id));
  const items = tasks.flatMap((task): PlanItem[] => {
    if (task.status === 'completed' || task.metadata?._internal) return [];
    const { id, subject, status, owner } = task;
    const blockedBy = task.blockedBy.filter((blocker) => open.has(blocker));
    const line = taskLine({ id, subject, status, owner, blockedBy });
    return [{ id, text: subject, status, ...(owner === undefined ? {} : { owner }), blockedBy, line }];
  });
  return items
    .map((item, index) => ({ item, index, rank: rank(item, options.agentName) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ item }) => item);
}

function rank({ status, owner, blockedBy }: PlanItem, agentName: string | undefined): number {
  if (status === 'in_progress') return owner === undefined || owner === agentName ? 0 : 1;
  return blockedBy?.length ? 3 : 2;
}

/** A task as one line, the form of every list of tasks. `blockedBy` is taken as it is: give the open blockers. */
export function taskLine(task: Pick<Task, 'id' | 'subject' | 'status' | 'owner' | 'blockedBy'>): string {
  const { id, subject, status, owner, blockedBy } = task;
  const shown = blockedBy.slice(0, MAX_BLOCKERS).map((blocker) => `#${oneLine(blocker, 40)}`);
  if (blockedBy.length > shown.length) shown.push('…');
  const ownerText = owner === undefined ? '' : ` (${oneLine(owner, 40)})`;
  const blockers = shown.length > 0 ? ` [blocked by ${shown.join(', ')}]` : '';
  return `#${oneLine(id, 40)} [${status}] ${oneLine(subject, MAX_SUBJECT_CHARS)}${ownerText}${blockers}`;
}
