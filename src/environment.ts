import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Environment variables. Waymark reads `process.env` in this file only. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process, or what the host gave in its place (`options.env` replaces, never merges). */
export function environment(given?: Environment): Environment {
  return given ?? process.env;
}

/** A flag variable: `1 true yes on` or `0 false no off` in any case, spaces trimmed; undefined for any other text. */
export function readFlag(value: string | undefined): boolean | undefined {
  const word = value?.trim().toLowerCase();
  if (word === '1' || word === 'true' || word === 'yes' || word === 'on') return true;
  if (word === '0' || word === 'false' || word === 'no' || word === 'off') return false;
  return undefined;
}

/** The folder for settings, task lists and sessions: `CLAUDE_CONFIG_DIR`, else `~/.claude`. Absolute. */
export function configDir(env: Environment = environment()): string {
  const given = env.CLAUDE_CONFIG_DIR?.trim();
  return given ? resolve(given) : join(env.HOME?.trim() || homedir(), '.claude');
}

/** The clock, so that tests can set the time. Milliseconds since 1970. */
export type Clock = () => number;
export const systemClock: Clock = () => Date.now();

/** A new random UUID: session ids, message ids, task list names of a nameless session. */
export function newId(): string {
  return randomUUID();
}
