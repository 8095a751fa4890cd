import { untilAborted } from '../abort.js';
import type { TaskStore } from './task-store.js';
import { takeTurn } from './turns.js';

/** What a call does to the list: makes a task, changes these, or reads. */
export type CallEffect = { creates: true } | { changes: readonly string[] } | { reads: true };

interface RunningCall {
  effect: CallEffect;
  done: Promise<unknown>;
}

const running = new WeakMap<TaskStore, Set<RunningCall>>();

/**
 * Runs calls of one answer side by side where their order makes no difference, and else in the order in which they
 * were started: a read sees what earlier calls wrote, a change of a task comes after earlier changes of it and after
 * earlier creations, whose numbers a model may have guessed. A call waits for earlier ones only, so none waits in a
 * ring; what an earlier one comes to does not matter. Throws `aborted`.
 */
export async function inCallOrder<T>(
  store: TaskStore,
  effect: CallEffect,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const calls = running.get(store) ?? new Set();
  running.set(store, calls);
  const earlier = [...calls].filter((call) => mustWait(effect, call.effect)).map((call) => call.done);
  const outcome =
    earlier.length === 0 ? work() : untilAborted(Promise.allSettled(earlier), signal).then(work);
  const call: RunningCall = { effect, done: outcome };
  calls.add(call);
  try {
    return await outcome;
  } finally {
    calls.delete(call);
  }
}

function mustWait(later: CallEffect, earlier: CallEffect): boolean {
  if ('reads' in earlier || 'creates' in later) return false;
  if ('reads' in later || 'creates' in earlier) return true;
  return later.changes.some((id) => earlier.changes.includes(id));
}

/** A turn waits this long for those before it and then goes on without it: order is wished for, an answer is owed. */
const TURN_LIMIT_MS = 30_000;

/** Runs the work of this process on one list one after the other, in the order asked. `purpose` names the line. */
export async function oneAtATime<T>(
  store: TaskStore,
  purpose: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await takeTurn(`${purpose} ${store.location ?? store.listId}`, TURN_LIMIT_MS, signal);
  try {
    return await work();
  } finally {
    if (typeof leave === 'function') leave();
  }
}
