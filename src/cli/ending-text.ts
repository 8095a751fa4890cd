import type { SDKResultError } from '../protocol/messages.js';

/** What stands on stderr when there is no key. Three lines: what to set, what works without, where to read. */
export const NO_CREDENTIALS = [
  'waymark: no credentials: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) in the environment',
  'To see it work without a key: waymark demo',
  'More: waymark --help, and docs/guide/print-mode.md in the repository',
  '',
].join('\n');

/** A failed result in words. */
export function failureText(result: SDKResultError): string {
  const status = result.api_error_status ? ` (HTTP ${result.api_error_status})` : '';
  const request = result.request_id ? ` [request ${result.request_id}]` : '';
  const words = result.errors.join('; ') || result.subtype;
  return `${words}${words.includes(String(result.api_error_status)) ? '' : status}${request}`;
}

/** Which calls were denied because nobody could be asked, and what to do about it. */
export function deniedSummary(toolNames: readonly string[], allowed: boolean): string {
  const counts = new Map<string, number>();
  for (const name of toolNames) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`));
  const calls = toolNames.length === 1 ? '1 call was' : `${toolNames.length} calls were`;
  const advice = allowed ? '' : '; allow it with --allowedTools, or take it with --allow-denials';
  return `${calls} denied because nobody could be asked: ${named.join(', ')}${advice}`;
}
