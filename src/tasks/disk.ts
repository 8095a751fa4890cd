import * as files from 'node:fs/promises';

/** The file system calls of a task list that can fail in ways no test machine offers (a scanner, a full disk). */
export type Disk = Pick<
  typeof files,
  'link' | 'mkdir' | 'readdir' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'utimes' | 'writeFile'
>;

export const nodeDisk: Disk = files;
