/** What went wrong, as a word a program can branch on. */
export type ErrorCode =
  | 'invalid_options'
  | 'invalid_input'
  | 'invalid_schema'
  | 'invalid_id'
  | 'path_outside'
  | 'list_busy'
  | 'lock_lost'
  | 'storage_failed'
  | 'task_not_found'
  | 'todo_not_found'
  | 'bad_edge'
  | 'no_credentials'
  | 'api_error'
  | 'run_failed'
  | 'script_mismatch'
  | 'aborted';

/**
 * The one error class that Waymark throws. `code` says what kind, `message` what happened, where, and what
 * to do about it. Tools do not throw it at the model: a failed call becomes an `is_error` result.
 */
export class WaymarkError extends Error {
  readonly code: ErrorCode;
  /** Facts about the failure for programs: a path, an HTTP status, a request id. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WaymarkError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** The text of anything that can be thrown; never empty, never throws itself. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message.trim() || thrown.name || 'Error without a message';
  if (typeof thrown === 'string') return thrown.trim() || 'Error without a message';
  if (thrown === undefined || thrown === null) return `Thrown value: ${thrown}`;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

/** `error.code` of a Node.js system error (`ENOENT`, `EPERM`, …), or undefined. */
export function systemCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}
