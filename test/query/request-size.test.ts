import { expect, test } from 'vitest';
import { answer } from '../../src/testing/index.js';
import { runQuery } from '../support/run-query.js';

/** Bytes of the first request: tool definitions, system prompt and prompt. They are paid for in every request. */
const LARGEST_FIRST_REQUEST = 12_000;

test.each(['todo', 'tasks'] as const)(
  'the first request with coding tools and planning %s is at most 12 kB',
  async (planning) => {
    const run = await runQuery({ options: { planning }, steps: [answer({ text: 'ok' })] });
    const [first] = run.server.requests;
    expect(Buffer.byteLength(first?.text ?? 'x'.repeat(LARGEST_FIRST_REQUEST * 2))).toBeLessThanOrEqual(
      LARGEST_FIRST_REQUEST,
    );
  },
);
