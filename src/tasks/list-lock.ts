import { rmdir, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../environment.js';
import { errorText, systemCode, WaymarkError } from '../errors.js';
import { takeTurn } from './turns.js';

/**
 * A lock whose holder gave no sign of life for this long is taken over, milliseconds. The same value as a Claude
 * Code process uses: a shorter one would take over locks that are held.
 */
const STALE_MS = 10_000;

/** Pause before asking again, milliseconds; a random part keeps many waiters from asking in step. */
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

export const DEFAULT_LOCK_WAIT_MS = 30_000;

export interface LockLimits {
  /** When to give up, on the clock of `systemClock`. */
  deadline: number;
  /** The whole wait in milliseconds, for the error's text. */
  waitMs: number;
  signal?: AbortSignal | undefined;
}

export interface HeldLock {
  /** Throws `lock_lost` when the lock was taken over or removed. Ask right before the first write. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock `<target>.lock/`, the folder that `proper-lockfile` makes, so that every program that locks the
 * same way is kept out. `target` must be a resolved path in a folder that exists; it need not exist itself. Throws
 * `list_busy` at the deadline, `aborted`, `storage_failed`.
 */
export async function acquireLock(target: string, limits: LockLimits): Promise<HeldLock> {
  const path = `${target}.lock`;
  // Within one process the waiters queue up here, so that it asks the disk for a lock once at a time.
  const leave = await takeTurn(path, limits.deadline - systemClock(), limits.signal);
  if (leave === 'timeout') throw busy(path, limits.waitMs);
  if (leave === 'aborted') throw aborted(path);
  try {
    const held = await askUntil(target, path, limits);
    return {
      assertHeld: () => held.assertHeld(),
      async release() {
        try {
          await held.release();
        } finally {
          leave();
        }
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

async function askUntil(target: string, path: string, limits: LockLimits): Promise<HeldLock> {
  for (let attempt = 0; ; attempt += 1) {
    if (limits.signal?.aborted) throw aborted(path);
    try {
      return await askOnce(target, path);
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw failed(path, error);
    }
    const left = limits.deadline - systemClock();
    if (left <= 0) throw busy(path, limits.waitMs);
    const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(attempt, 10));
    const pause = SHORTEST_PAUSE_MS + Math.random() * longest;
    await wait(Math.min(pause, left), undefined, { signal: limits.signal }).catch(() => {
      // Only an abort ends this wait early; the next round of the loop says so.
    });
  }
}

async function askOnce(target: string, path: string): Promise<HeldLock> {
  // Loaded on the first lock: the library hooks into the process's signals, and most sessions never lock.
  const { lock } = (await import('proper-lockfile')).default;
  let compromised = false;
  const release = await lock(target, {
    realpath: false,
    stale: STALE_MS,
    // The library's default throws from a timer, which ends the process. Noted here instead, and looked at before
    // each write.
    onCompromised: () => {
      compromised = true;
    },
  });
  const mine = await folderIdentity(path);
  const stillMine = async () => mine !== undefined && (await folderIdentity(path)) === mine;
  return {
    async assertHeld() {
      if (!compromised && (await stillMine())) return;
      throw new WaymarkError('lock_lost', `The lock ${path} was taken over or removed while it was held.`);
    },
    async release() {
      try {
        // A lock that was lost belongs to its next holder: releasing it would let a third one in.
        if (await stillMine()) await (compromised ? rmdir(path) : release());
      } catch (error) {
        // The work itself is done; what is left behind goes stale after 10 s and the next holder removes it.
        if (systemCode(error) === undefined) throw error;
      }
    },
  };
}

/** Tells a lock folder from one that somebody made later under the same name; undefined when there is none. */
async function folderIdentity(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeMs } = await stat(path);
    return `${ino}:${birthtimeMs}`;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function busy(path: string, waitMs: number): WaymarkError {
  return new WaymarkError(
    'list_busy',
    `The task list is busy: the lock ${path} was not free within ${waitMs / 1000} s. Nothing was changed. Try again; if no program uses this list, remove that folder.`,
    { details: { path } },
  );
}

function aborted(path: string): WaymarkError {
  return new WaymarkError('aborted', `Stopped while waiting for the lock ${path}. Nothing was changed.`);
}

function failed(path: string, cause: unknown): WaymarkError {
  return new WaymarkError('storage_failed', `The lock ${path} cannot be made: ${errorText(cause)}`, {
    cause,
  });
}
