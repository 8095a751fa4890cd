import { join } from 'node:path';
import { systemCode } from '../errors.js';
import { writeAtomic } from './atomic-write.js';
import type { Disk } from './disk.js';

/** Beside the task files: the highest number ever removed, so that it is never given again. */
const FILE = '.highwatermark';

/** The number in the text, spaces around it allowed; anything else counts as 0. */
export function parseHighWaterMark(text: string): number {
  const digits = text.trim();
  if (!/^\d+$/.test(digits)) return 0;
  const mark = Number(digits);
  return mark < Number.MAX_SAFE_INTEGER ? mark : 0;
}

/** The mark of a list; 0 when it has none. */
export async function readHighWaterMark(disk: Disk, folder: string): Promise<number> {
  try {
    return parseHighWaterMark(await disk.readFile(join(folder, FILE), 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Raises the mark to the number; a higher mark stays. Decimal text without a newline. Call under the list's lock. */
export async function raiseHighWaterMark(disk: Disk, folder: string, number: number): Promise<void> {
  if (number > (await readHighWaterMark(disk, folder))) {
    await writeAtomic(disk, join(folder, FILE), String(number));
  }
}
