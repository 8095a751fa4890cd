import { chmodSync, closeSync, mkdtempSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../environment.js';

/**
 * Files for output that is too long to show. Results name these files and a session may be resumed days later, so
 * nothing here is deleted: the operating system clears its temp folder in its own time.
 *
 * The folder is made on first use, readable by this user only, outside the project and outside the config folder.
 */
export class OutputFiles {
  readonly #parent: string;
  #directory: string | undefined;

  /** `parent`: where the folder is made. Default: the system's temp folder. */
  constructor(parent: string = tmpdir()) {
    this.#parent = parent;
  }

  /** The folder with links resolved, or undefined while nothing was saved. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** Writes the text to a new file and returns its absolute path. `name` is a hint for people; any text will do. */
  async save(text: string, name: string): Promise<string> {
    const { path, descriptor } = this.create(name);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    return path;
  }

  /** Opens a new empty file for appending. The caller closes the descriptor. */
  create(name: string): { path: string; descriptor: number } {
    const label = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60) || 'output';
    const path = join(this.#open(), `${label}-${newId().slice(0, 8)}.txt`);
    // 'ax': appends and refuses an existing file, so a guessed name cannot redirect the output.
    return { path, descriptor: openSync(path, 'ax', 0o600) };
  }

  #open(): string {
    if (this.#directory === undefined) {
      const made = mkdtempSync(join(this.#parent, 'waymark-'));
      chmodSync(made, 0o700);
      this.#directory = realpathSync(made);
    }
    return this.#directory;
  }
}
