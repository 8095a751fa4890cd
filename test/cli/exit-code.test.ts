import { describe, expect, test } from 'vitest';
import { deniedLines, failureText } from '../../src/cli/ending-text.js';
import { exitCode, exitCodeOfError, type Outcome, signalCode } from '../../src/cli/exit-code.js';
import { WaymarkError } from '../../src/errors.js';
import type { PermissionDenial } from '../../src/protocol/permissions.js';
import { denial, errorResult, successResult } from './results.js';

function success(...denials: PermissionDenial[]) {
  return { ...successResult(), permission_denials: denials };
}

describe('B94 the exit code tells success, denial, limit, credentials and failure apart', () => {
  test.each<[string, Partial<Outcome>, number]>([
    ['done', {}, 0],
    ['done, a call denied for want of a person', { result: success(denial('nobody')) }, 3],
    ['done, calls denied by choice', { result: success(denial('rule'), denial('mode'), denial('hook')) }, 0],
    ['denied, taken by --allow-denials', { result: success(denial('nobody')), allowDenials: true }, 0],
    ['limit of turns', { result: errorResult({ subtype: 'error_max_turns' }) }, 4],
    [
      'limit of turns after a denial',
      { result: errorResult({ subtype: 'error_max_turns', permission_denials: [denial('nobody')] }) },
      4,
    ],
    ['401', { result: errorResult({ api_error_status: 401 }) }, 5],
    ['403', { result: errorResult({ api_error_status: 403 }) }, 5],
    ['429 to the end', { result: errorResult({ api_error_status: 429 }) }, 1],
    ['500', { result: errorResult({ api_error_status: 500 }) }, 1],
    ['a refusal', { result: errorResult({ refusal: { category: null } }) }, 1],
    ['a failure with a denial in it', { result: errorResult({ permission_denials: [denial('nobody')] }) }, 1],
    [
      'the same denied call again and again',
      { result: errorResult({ terminal_reason: 'blocking_limit', permission_denials: [denial('nobody')] }) },
      3,
    ],
    [
      'the same, denials allowed: still no success',
      {
        result: errorResult({ terminal_reason: 'blocking_limit', permission_denials: [denial('nobody')] }),
        allowDenials: true,
      },
      1,
    ],
    ['interrupted', { result: errorResult({ terminal_reason: 'aborted_tools' }), signal: 'SIGINT' }, 130],
    ['terminated', { result: errorResult({}), signal: 'SIGTERM' }, 143],
  ])('%s', (_name, outcome, code) => {
    expect(exitCode({ result: successResult(), allowDenials: false, ...outcome })).toBe(code);
  });

  test.each<[unknown, number]>([
    [new WaymarkError('no_credentials', 'x'), 5],
    [new WaymarkError('api_error', 'x', { details: { status: 401 } }), 5],
    [new WaymarkError('api_error', 'x', { details: { status: 529 } }), 1],
    [new WaymarkError('invalid_options', 'x'), 2],
    [new WaymarkError('invalid_id', 'x'), 2],
    [new WaymarkError('storage_failed', 'x'), 1],
    [new Error('x'), 1],
    ['x', 1],
  ])('thrown before a result: %s', (thrown, code) => {
    expect(exitCodeOfError(thrown)).toBe(code);
  });

  test('a signal without a number of ours counts as a failure', () => {
    expect([signalCode('SIGHUP'), signalCode('SIGUSR2')]).toEqual([129, 1]);
  });
});

test('a failure is told with its status and request id, each once', () => {
  const result = errorResult({ errors: ['overloaded'], api_error_status: 529, request_id: 'req_1' });
  expect(failureText(result)).toBe('overloaded (HTTP 529) [request req_1]');
  expect(failureText(errorResult({ errors: ['HTTP 529: overloaded'], api_error_status: 529 }))).toBe(
    'HTTP 529: overloaded',
  );
});

test('denied calls are counted by tool, with what to do about them', () => {
  const denials = [denial('nobody'), denial('nobody', 'Write'), denial('nobody'), denial('rule', 'Read')];
  expect(deniedLines(denials, false)).toEqual([
    '3 calls were denied because nobody could be asked: Bash (2 times), Write; allow with --allowedTools, or accept with --allow-denials',
    '1 call was denied by a rule or the mode: Read',
  ]);
  expect(deniedLines([denial('nobody')], true)).toEqual([
    '1 call was denied because nobody could be asked: Bash',
  ]);
  expect(deniedLines([], false)).toEqual([]);
});
