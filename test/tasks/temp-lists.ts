import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Disk } from '../../src/tasks/disk.js';
import { FileTaskStore } from '../../src/tasks/file-store.js';

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, removed when the tests of the file are done. All links in its path are resolved. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-tasks-')));
  made.push(folder);
  return folder;
}

export interface ListOptions {
  dir?: string;
  listId?: string;
  lockWaitMs?: number;
  disk?: Disk;
  warnings?: string[];
}

/** A list on disk in a folder of the test's own. */
export function openFileStore(options: ListOptions = {}): FileTaskStore {
  const { dir = tempFolder(), listId = 'plan', lockWaitMs, disk, warnings } = options;
  return new FileTaskStore({ dir, listId, lockWaitMs, disk, onWarning: (text) => warnings?.push(text) });
}

/** Every file under a folder with its text, to see that nothing changed. */
export function snapshot(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(folder.length + 1)] = readFileSync(path, 'utf8');
  }
  return files;
}
