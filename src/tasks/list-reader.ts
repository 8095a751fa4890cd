import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { errorText, systemCode, WaymarkError } from '../errors.js';
import type { Disk } from './disk.js';
import type { Task } from './task.js';
import { parseTaskFile } from './task-file.js';
import { compareTaskIds, isSafeName } from './task-id.js';
import { taskIdOf, taskPath } from './task-path.js';

/** Never through a link, and never waiting for the other end of a pipe. Windows knows neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Files read in one go, then the event loop has its turn. Synchronous reads cost 4 µs a file, asynchronous ones
 * ten times that; 100 of them hold the loop for less than half a millisecond.
 */
const FILES_AT_ONCE = 100;

/** Pauses before a file that holds no whole JSON is called damaged: its writer may fill it in place. Milliseconds. */
const SECOND_LOOKS = [10, 30, 60];

type Reading =
  | { kind: 'task'; task: Task; text: string }
  | { kind: 'absent' }
  | { kind: 'unusable'; reason: string; partialText?: string };

/** Reads the task files of one list. Takes no lock, changes nothing, keeps no copy of a task. */
export class ListReader {
  readonly #disk: Disk;
  readonly #warn: (message: string) => void;
  readonly #warned = new Set<string>();
  /** What files hold that stayed damaged after all looks, so that they are waited for once only. */
  readonly #damaged = new Map<string, string>();

  constructor(disk: Disk, warn: (message: string) => void) {
    this.#disk = disk;
    this.#warn = warn;
  }

  /** One task and the text of its file; null when there is none. Throws `storage_failed` when it cannot be used. */
  async one(folder: string, id: string): Promise<{ task: Task; text: string } | null> {
    const path = taskPath(folder, id);
    const reading = await this.#settle(path, readTaskFile(path, id));
    if (reading.kind === 'absent') return null;
    if (reading.kind === 'task') return reading;
    throw new WaymarkError('storage_failed', unusable(path, reading.reason), { details: { path } });
  }

  /** All tasks in the order of their ids. A file that cannot be used is left out, with one warning. */
  async all(folder: string): Promise<Task[]> {
    const ids = await this.ids(folder);
    const readings = new Map<string, Reading>();
    let read = 0;
    for (const id of ids.sort(compareTaskIds)) {
      if (++read % FILES_AT_ONCE === 0) await breathe();
      const path = join(folder, `${id}.json`);
      if (isSafeName(id)) readings.set(path, readTaskFile(path, id));
      else this.#warnOnce(path, 'its name is not made of letters, digits, "-" and "_"');
    }
    const settled = await Promise.all(
      [...readings].map(async ([path, first]) => ({ path, reading: await this.#settle(path, first) })),
    );
    const tasks: Task[] = [];
    for (const { path, reading } of settled) {
      if (reading.kind === 'task') tasks.push(reading.task);
      if (reading.kind === 'unusable') this.#warnOnce(path, reading.reason);
    }
    return tasks;
  }

  /** Every id that a file name stands for, usable or not: none of their numbers is free. */
  async ids(folder: string): Promise<string[]> {
    const names = await this.#disk.readdir(folder);
    return names.map(taskIdOf).filter((id) => id !== undefined);
  }

  /** Looks again, a few times, at a file that may be in the middle of being written. */
  async #settle(path: string, first: Reading): Promise<Reading> {
    let reading = first;
    for (const pause of SECOND_LOOKS) {
      if (reading.kind !== 'unusable' || reading.partialText === undefined) break;
      if (this.#damaged.get(path) === reading.partialText) return reading;
      await wait(pause);
      reading = readTaskFile(path, basename(path, '.json'));
    }
    if (reading.kind === 'unusable' && reading.partialText !== undefined) {
      this.#damaged.set(path, reading.partialText);
    } else {
      this.#damaged.delete(path);
    }
    return reading;
  }

  #warnOnce(path: string, reason: string): void {
    const message = unusable(path, reason);
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#warn(message);
  }
}

function readTaskFile(path: string, id: string): Reading {
  let text: string;
  try {
    // Asked before opening as well: Windows has no flag against links, and a folder gives a clearer reason here.
    const found = lstatSync(path);
    if (found.isSymbolicLink())
      return { kind: 'unusable', reason: 'it is a link, and links are not followed' };
    if (found.isDirectory()) return { kind: 'absent' };
    if (!found.isFile()) return { kind: 'unusable', reason: 'it is no ordinary file' };
    text = readWhole(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'absent' };
    return { kind: 'unusable', reason: errorText(error) };
  }
  const parsed = parseTaskFile(text, id);
  if (parsed.ok) return { kind: 'task', task: parsed.task, text };
  return { kind: 'unusable', reason: parsed.reason, ...(parsed.partial ? { partialText: text } : {}) };
}

function readWhole(path: string): string {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function unusable(path: string, reason: string): string {
  return `Task file ${path} cannot be used: ${reason}. It is left as it is and its number stays taken; repair it or remove it.`;
}
