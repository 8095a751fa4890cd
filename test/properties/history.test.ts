import fc from 'fast-check';
import { expect, test } from 'vitest';
import { History } from '../../src/conversation/history.js';
import type { CallResult, RequestedCall } from '../../src/dispatch/call-result.js';
import { type LoopEnd, runLoop } from '../../src/loop.js';
import { type Model, type ModelAnswer, ModelCallError, type ModelEvent } from '../../src/model/model.js';
import { RequestBody } from '../../src/model/request-body.js';
import { noUsage } from '../../src/model/usage.js';
import type { ContentBlock, StopReason } from '../../src/protocol/api.js';
import { validateMessagesRequest } from '../../src/testing/index.js';

/** What the model, the tools and the people around them do in one run. */
interface Story {
  answers: Array<
    | { kind: 'answer'; blocks: ContentBlock[]; stop: StopReason | null; broken: boolean }
    | { kind: 'error' }
    | { kind: 'abort' }
  >;
  /** For each call: how it goes. */
  calls: Array<'ok' | 'fails' | 'abort' | 'stop' | 'throw'>;
  /** After how many events the host leaves, if it does. */
  leaveAfter: number | undefined;
  goOns: boolean[];
  tails: string[];
}

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.constantFrom('', ' ', 'text').map((text): ContentBlock => ({ type: 'text', text, citations: null })),
  fc
    .constantFrom('a', 'b', 'c')
    .map((id): ContentBlock => ({ type: 'tool_use', id, name: 'T', input: {}, caller: { type: 'direct' } })),
  fc
    .constantFrom('', 'sig')
    .map((signature): ContentBlock => ({ type: 'thinking', thinking: 'hm', signature })),
);

const stops: Array<StopReason | null> = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  null,
];

const story: fc.Arbitrary<Story> = fc.record({
  answers: fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('answer' as const),
          blocks: fc.array(block, { maxLength: 5 }),
          stop: fc.constantFrom(...stops),
          broken: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'error' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'abort' as const }) },
    ),
    { maxLength: 8 },
  ),
  calls: fc.array(fc.constantFrom('ok', 'ok', 'ok', 'fails', 'abort', 'stop', 'throw'), { maxLength: 12 }),
  leaveAfter: fc.option(fc.nat(20), { nil: undefined }),
  goOns: fc.array(fc.boolean(), { maxLength: 3 }),
  tails: fc.array(fc.constantFrom('', 'reminder'), { maxLength: 3 }),
});

function scriptedModel(told: Story, abort: AbortController, seen: string[]): Model {
  const answers = [...told.answers];
  return {
    async *ask(body): AsyncGenerator<ModelEvent, void> {
      seen.push(...validateMessagesRequest(JSON.parse(Buffer.from(body).toString())));
      const next = answers.shift() ?? { kind: 'answer', blocks: [], stop: 'end_turn', broken: false };
      if (next.kind === 'answer') {
        yield { type: 'answer', answer: toAnswer(next) };
        return;
      }
      if (next.kind === 'abort') abort.abort();
      const facts = { status: 500, message: 'x', requestId: null, retryAfterMs: null, shouldRetry: null };
      throw new ModelCallError({ ...facts, type: next.kind === 'abort' ? 'aborted' : 'api_error' });
    },
  };
}

function toAnswer({
  blocks,
  stop,
  broken,
}: Extract<Story['answers'][number], { kind: 'answer' }>): ModelAnswer {
  const ids = blocks.flatMap((item) => (item.type === 'tool_use' ? [item.id] : []));
  return {
    message: {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: blocks,
      stop_reason: stop,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: noUsage(),
    },
    brokenInputs: new Map(broken ? ids.map((id) => [id, 'no JSON']) : []),
    durationMs: 0,
  };
}

async function tell(
  told: Story,
): Promise<{ problems: string[]; end: LoopEnd | undefined; history: History }> {
  const abort = new AbortController();
  const history = new History();
  history.addUser('Go.');
  const problems: string[] = [];
  const calls = [...told.calls];
  const goOns = [...told.goOns];
  const tails = [...told.tails];
  const loop = runLoop({
    model: scriptedModel(told, abort, problems),
    body: new RequestBody({ model: 'm', maxOutputTokens: 1, system: [], tools: [] }),
    history,
    async *runCalls(requested) {
      for (const call of requested) {
        const how = calls.shift() ?? 'ok';
        if (how === 'throw') throw new Error('a part of the engine broke');
        if (how === 'abort') abort.abort();
        yield callResult(call, how);
      }
    },
    afterRound: async () => tails.splice(0, 1),
    beforeEnd: async () => (goOns.shift() ? { goOn: 'Go on.' } : {}),
    maxTurns: 6,
    signal: abort.signal,
  });
  let end: LoopEnd | undefined;
  let events = 0;
  try {
    for (;;) {
      const step = await loop.next();
      if (step.done) {
        end = step.value;
        break;
      }
      events += 1;
      if (events === told.leaveAfter) {
        await loop.return({ reason: 'aborted', during: 'tools' });
        break;
      }
    }
  } catch (error) {
    if (!told.calls.includes('throw')) throw error;
  }
  return { problems, end, history };
}

function callResult({ block: call }: RequestedCall, how: string): CallResult {
  const ok = how !== 'fails';
  return {
    call,
    input: {},
    result: { type: 'tool_result', tool_use_id: call.id, content: how, ...(ok ? {} : { is_error: true }) },
    data: null,
    ok,
    texts: [],
    ...(how === 'stop' ? { stop: { by: 'hook' as const, text: 'enough' } } : {}),
  };
}

test('B60 any sequence of answers, errors, aborts and departures sends valid requests and leaves a valid history', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const { problems, history } = await tell(told);
      expect(problems).toEqual([]);
      history.addUser('And now?');
      const body = { model: 'm', max_tokens: 1, messages: history.messages };
      expect(validateMessagesRequest(body)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('and a run never asks the model more often than maxTurns', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const { history } = await tell({ ...told, leaveAfter: undefined });
      expect(history.messages.filter((message) => message.role === 'assistant').length).toBeLessThanOrEqual(
        6,
      );
    }),
    { numRuns: 300 },
  );
});
