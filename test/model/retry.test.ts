import { describe, expect, test } from 'vitest';
import type { ModelFailure } from '../../src/model/model.js';
import { defaultRetry, retryAfter, retryDelay } from '../../src/model/retry.js';
import { noUsage, UsageSum } from '../../src/model/usage.js';

const failure = (fields: Partial<ModelFailure>): ModelFailure => ({
  status: 500,
  type: 'api_error',
  message: 'x',
  requestId: null,
  retryAfterMs: null,
  shouldRetry: null,
  ...fields,
});

describe('the wait before the next try', () => {
  test.each<[string, Partial<ModelFailure>, number, number | null]>([
    ['doubles', {}, 1, 500],
    ['doubles', {}, 3, 2000],
    ['up to a limit', {}, 8, 32_000],
    ['ends after the last try', {}, 9, null],
    ['is what the server says', { retryAfterMs: 7 }, 5, 7],
    ['unless that is too long to wait for', { retryAfterMs: 200_000 }, 1, null],
    ['408', { status: 408 }, 1, 500],
    ['409', { status: 409 }, 1, 500],
    ['429', { status: 429 }, 1, 500],
    ['not 400', { status: 400 }, 1, null],
    ['not 404', { status: 404 }, 1, null],
    ['an overload inside the stream', { status: null, type: 'overloaded_error' }, 1, 500],
    ['a lost connection', { status: null, type: 'connection_error' }, 1, 500],
    ['not another error inside the stream', { status: null, type: 'invalid_request_error' }, 1, null],
    ['never after an interrupt', { status: null, type: 'aborted', shouldRetry: true }, 1, null],
  ])('%s', (_name, fields, attempt, delay) => {
    expect(retryDelay(failure(fields), attempt, defaultRetry, 0)).toBe(delay);
  });

  test('is shortened by up to a quarter, so that many clients do not come at once', () => {
    expect(retryDelay(failure({}), 1, defaultRetry, 1)).toBe(375);
  });

  test.each<[Record<string, string>, number | null]>([
    [{ 'retry-after-ms': '20', 'retry-after': '9' }, 20],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT' }, 4000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('of the headers %j', (headers, delay) => {
    expect(retryAfter(new Headers(headers), 1000)).toBe(delay);
  });
});

test('usage is summed at every depth, by model too; everything else is that of the newest answer', () => {
  const sum = new UsageSum(100);
  expect(sum.total()).toEqual(noUsage());
  const usage = {
    ...noUsage(),
    input_tokens: 2,
    output_tokens: 3,
    cache_read_input_tokens: 5,
    service_tier: 'standard' as const,
  };
  sum.add({
    model: 'a',
    usage: { ...usage, cache_creation: { ephemeral_1h_input_tokens: 1, ephemeral_5m_input_tokens: 2 } },
  });
  sum.add({
    model: 'b',
    usage: { ...usage, cache_creation: { ephemeral_1h_input_tokens: 1, ephemeral_5m_input_tokens: 2 } },
  });
  expect(sum.total()).toMatchObject({
    input_tokens: 4,
    output_tokens: 6,
    cache_read_input_tokens: 10,
    cache_creation: { ephemeral_1h_input_tokens: 2, ephemeral_5m_input_tokens: 4 },
    service_tier: 'standard',
  });
  expect(sum.byModel().a).toMatchObject({
    inputTokens: 2,
    outputTokens: 3,
    cacheReadInputTokens: 5,
    costUSD: null,
  });
});
