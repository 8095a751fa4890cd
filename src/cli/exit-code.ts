import { WaymarkError } from '../errors.js';
import type { SDKResultMessage } from '../protocol/messages.js';
import type { PermissionDenial } from '../protocol/permissions.js';

/** What the command's exit code means; the numbers are an interface for scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  limit: 4,
  credentials: 5,
} as const;

/** 128 + the signal's number, as shells have it. */
const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export interface Outcome {
  result: SDKResultMessage;
  allowDenials: boolean;
  /** The signal that ended the run. */
  signal?: string | undefined;
}

/** The exit code of a run that came to a result. */
export function exitCode({ result, allowDenials, signal }: Outcome): number {
  if (signal !== undefined) return signalCode(signal);
  const denied = unaskedDenials(result).length > 0 && !allowDenials;
  if (result.subtype === 'success') return denied ? EXIT.denied : EXIT.done;
  if (result.subtype.startsWith('error_max_')) return EXIT.limit;
  if (isCredentialStatus(result.api_error_status)) return EXIT.credentials;
  // The run was stopped because the same denied call came again and again: the denial is the cause.
  if (denied && result.terminal_reason === 'blocking_limit') return EXIT.denied;
  return EXIT.failed;
}

/** The calls that were denied because nobody could be asked; what a rule or the chosen mode denies is no surprise. */
export function unaskedDenials(result: SDKResultMessage): PermissionDenial[] {
  return result.permission_denials.filter((denial) => denial.denied_by === 'nobody');
}

/** The exit code of a run that threw before it had a result. */
export function exitCodeOfError(thrown: unknown): number {
  if (!(thrown instanceof WaymarkError)) return EXIT.failed;
  if (thrown.code === 'no_credentials') return EXIT.credentials;
  if (thrown.code === 'invalid_options' || thrown.code === 'invalid_id') return EXIT.usage;
  return isCredentialStatus(thrown.details.status) ? EXIT.credentials : EXIT.failed;
}

export function signalCode(signal: string): number {
  return SIGNAL_CODES[signal] ?? EXIT.failed;
}

function isCredentialStatus(status: unknown): boolean {
  return status === 401 || status === 403;
}
