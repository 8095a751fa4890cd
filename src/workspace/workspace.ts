import { isAbsolute, relative, resolve, sep } from 'node:path';
import { WaymarkError } from '../errors.js';
import { OutputFiles } from './output-files.js';
import { ReadLog } from './read-log.js';
import { resolveRealPath } from './real-path.js';

export interface WorkspaceOptions {
  /** Relative paths start here. Absolute, or relative to the process's own folder. */
  cwd: string;
  /** More folders that belong to the work. */
  additionalDirectories?: readonly string[];
  /** Where long outputs are saved. Default: a new folder in the system's temp folder, made on first use. */
  outputs?: OutputFiles;
}

function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** The folders an agent works in, what it has read there, and the place for its long outputs. */
export class Workspace {
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly outputs: OutputFiles;
  readonly readLog = new ReadLog();

  constructor(options: WorkspaceOptions) {
    this.cwd = resolve(options.cwd);
    this.additionalDirectories = (options.additionalDirectories ?? []).map((path) => resolve(this.cwd, path));
    this.outputs = options.outputs ?? new OutputFiles();
  }

  /** Absolute, `.` and `..` taken out, links not followed. Throws `invalid_input` for a path no file can have. */
  resolvePath(path: string): string {
    if (path.trim() === '')
      throw new WaymarkError('invalid_input', 'The path is empty. Give the path of a file.');
    if (path.includes('\0')) {
      throw new WaymarkError('invalid_input', `The path ${JSON.stringify(path)} contains a NUL character.`);
    }
    return resolve(this.cwd, path);
  }

  /**
   * Where the path really leads, links and `..` resolved, also for a file that does not exist yet.
   * Throws `invalid_input` for a loop of links and for a path that leads through a file.
   */
  realPath(path: string): Promise<string> {
    return resolveRealPath(this.resolvePath(path));
  }

  /** Whether the path really lies in the working directories, whatever links it goes through. */
  contains(path: string): Promise<boolean> {
    return this.#isInOneOf([this.cwd, ...this.additionalDirectories], path);
  }

  /** As `contains`, and also true in the folder of the saved outputs. */
  containsForReading(path: string): Promise<boolean> {
    const saved = this.outputs.directory;
    return this.#isInOneOf([this.cwd, ...this.additionalDirectories, ...(saved ? [saved] : [])], path);
  }

  /** The shortest clear name: relative inside `cwd`, else absolute. */
  display(path: string): string {
    const absolute = resolve(this.cwd, path);
    return isInside(this.cwd, absolute) ? relative(this.cwd, absolute) || '.' : absolute;
  }

  /** Saves a long text and returns the absolute path of the file, which Read can open. */
  saveOutput(text: string, name: string): Promise<string> {
    return this.outputs.save(text, name);
  }

  async #isInOneOf(folders: readonly string[], path: string): Promise<boolean> {
    const real = await this.realPath(path);
    for (const folder of folders) {
      if (isInside(await resolveRealPath(folder), real)) return true;
    }
    return false;
  }
}
