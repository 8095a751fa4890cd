import { readFileSync } from 'node:fs';

/** Whether a process is there. One that has ended and waits to be collected by its parent is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = process.platform === 'linux' ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
}
