import type { ModelFailure } from './model.js';

/** How often and how long to wait. Delays in milliseconds. */
export interface RetrySettings {
  maxRetries: number;
  firstDelayMs: number;
  longestDelayMs: number;
  /** The longest delay asked for by the server that is still waited for. */
  longestServerDelayMs: number;
}

/** The defaults ride out about two minutes of overload. */
export const defaultRetry: RetrySettings = {
  maxRetries: 8,
  firstDelayMs: 500,
  longestDelayMs: 32_000,
  longestServerDelayMs: 120_000,
};

// Errors inside a stream have no HTTP status, so the API's own words count as well.
const PASSING_TYPES = new Set([
  'overloaded_error',
  'api_error',
  'rate_limit_error',
  'timeout_error',
  'connection_error',
]);

/** Whether the same request may succeed later. The server's explicit word wins. */
export function isPassing(failure: ModelFailure): boolean {
  if (failure.type === 'aborted') return false;
  if (failure.shouldRetry !== null) return failure.shouldRetry;
  const { status } = failure;
  if (status === null) return PASSING_TYPES.has(failure.type);
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/**
 * Milliseconds to wait before try `attempt + 1`, or null to give up. `attempt` counts from 1. The server's own delay
 * is taken as it is; else the delay doubles each time, less up to a quarter by `random` (0 to 1) so that many
 * clients do not come back at once.
 */
export function retryDelay(
  failure: ModelFailure,
  attempt: number,
  settings: RetrySettings = defaultRetry,
  random: number = Math.random(),
): number | null {
  if (attempt > settings.maxRetries || !isPassing(failure)) return null;
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs <= settings.longestServerDelayMs ? failure.retryAfterMs : null;
  }
  const full = Math.min(settings.longestDelayMs, settings.firstDelayMs * 2 ** (attempt - 1));
  return Math.round(full * (1 - random / 4));
}

/** The delay that response headers ask for, in milliseconds: `retry-after-ms`, `retry-after` in seconds or as a date. */
export function retryAfter(headers: { get(name: string): string | null }, now: number): number | null {
  const millis = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (millis >= 0) return millis;
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
