import type { SDKResultError } from '../protocol/messages.js';
import type { PermissionDenial } from '../protocol/permissions.js';

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

/** Which calls were denied, a line for each reason, with what to do about those that nobody could be asked about. */
export function deniedLines(denials: readonly PermissionDenial[], allowed: boolean): string[] {
  const unasked = denials.filter((denial) => denial.denied_by === 'nobody');
  const others = denials.filter((denial) => denial.denied_by !== 'nobody');
  const advice = allowed ? '' : '; allow with --allowedTools, or accept with --allow-denials';
  return [
    ...(unasked.length > 0 ? [`${counted(unasked, 'because nobody could be asked')}${advice}`] : []),
    ...(others.length > 0 ? [counted(others, 'by a rule or the mode')] : []),
  ];
}

function counted(denials: readonly PermissionDenial[], why: string): string {
  const counts = new Map<string, number>();
  for (const { tool_name } of denials) counts.set(tool_name, (counts.get(tool_name) ?? 0) + 1);
  const named = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`));
  const calls = denials.length === 1 ? '1 call was' : `${denials.length} calls were`;
  return `${calls} denied ${why}: ${named.join(', ')}`;
}
