import { acquireLock, type HeldLock, type LockLimits } from './list-lock.js';

/** The locks that one change holds, all under one time limit. */
export class LockScope {
  readonly #limits: LockLimits;
  readonly #held: HeldLock[] = [];

  constructor(limits: LockLimits) {
    this.#limits = limits;
  }

  /** Runs `work` with the targets locked in the given order, beside what is held already; lets go whatever happens. */
  async lock<T>(targets: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = this.#held.length;
    try {
      for (const target of targets) this.#held.push(await acquireLock(target, this.#limits));
      return await work();
    } finally {
      for (const lock of this.#held.splice(before).reverse()) await lock.release();
    }
  }

  /** Throws `lock_lost` unless all locks are still ours. Ask right before the first write. */
  async assertHeld(): Promise<void> {
    for (const lock of this.#held) await lock.assertHeld();
  }
}
