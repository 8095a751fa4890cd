import { createHash } from 'node:crypto';
import { type Environment, environment } from '../environment.js';
import { WaymarkError } from '../errors.js';
import { isSafeName } from './task-id.js';

const VARIABLE = 'CLAUDE_CODE_TASK_LIST_ID';

/** Longest part of a changed name that stays readable; the hash follows it. Characters. */
const READABLE_CHARS = 60;

/** Hex digits of SHA-256: 40 bits keep lists apart by accident, and the folder can still be typed. */
const HASH_CHARS = 10;

/**
 * The folder of a list. A name of 1 to 100 `[A-Za-z0-9_-]` that is no Windows device maps to itself, always. Any
 * other name gets its bad characters replaced by `-` and a hash of the whole name, so that two names that only
 * look alike after the replacement stay two lists.
 */
export function listFolderName(name: string): string {
  if (isSafeName(name)) return name;
  const readable = name.slice(0, READABLE_CHARS).replace(/[^A-Za-z0-9_-]/g, '-') || 'list';
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS);
  return `${readable}-${hash}`;
}

export interface ListIdSources {
  /** `options.tasks.listId`. */
  listId?: string | undefined;
  /** Default: the environment of this process. */
  env?: Environment | undefined;
  teamName?: string | undefined;
  sessionId?: string | undefined;
}

export interface ListIdChoice {
  /** The folder's name. */
  listId: string;
  /** The name as it was given. */
  name: string;
  source: 'option' | 'environment' | 'team' | 'session';
}

/**
 * Which list to use: `listId`, then `CLAUDE_CODE_TASK_LIST_ID`, the team's name, the session id; blank ones count
 * as not given. Throws `invalid_options` when none is left.
 */
export function chooseListId(sources: ListIdSources): ListIdChoice {
  const candidates: Array<[ListIdChoice['source'], string | undefined]> = [
    ['option', sources.listId],
    ['environment', environment(sources.env)[VARIABLE]],
    ['team', sources.teamName],
    ['session', sources.sessionId],
  ];
  for (const [source, name] of candidates) {
    if (name?.trim()) return { listId: listFolderName(name), name, source };
  }
  throw new WaymarkError(
    'invalid_options',
    `No task list is named. Give a listId, set ${VARIABLE}, or give a team name or session id.`,
  );
}
