import type { History } from './conversation/history.js';
import type { CallResult, RequestedCall } from './dispatch/call-result.js';
import {
  answerText,
  type Model,
  type ModelAnswer,
  ModelCallError,
  type ModelEvent,
  type ModelFailure,
} from './model/model.js';
import type { RequestBody } from './model/request-body.js';
import type { ContentBlock, Message } from './protocol/api.js';

export interface LoopParts {
  model: Model;
  body: RequestBody;
  /** Ends with a user message when the loop begins, and is valid whenever the loop has ended. */
  history: History;
  /** Gives one result for each call, in their order. */
  runCalls(calls: readonly RequestedCall[], signal: AbortSignal): AsyncGenerator<CallResult, void>;
  /** Texts to put behind the results of a round: reminders, news of background processes. */
  afterRound(results: readonly CallResult[]): Promise<readonly string[]>;
  /** Asked when the model is done: a text makes it go on, after it went on `times` times in a row; `stopped` ends the run. */
  beforeEnd(lastText: string, times: number): Promise<{ goOn?: string; stopped?: string }>;
  /** Most model answers. */
  maxTurns: number;
  signal: AbortSignal;
}

export type LoopEvent =
  | Exclude<ModelEvent, { type: 'answer' }>
  | { type: 'answer'; message: Message; durationMs: number }
  | { type: 'call_result'; result: CallResult }
  /** A user message that no person wrote. */
  | { type: 'added_text'; text: string };

export type LoopEnd =
  | { reason: 'completed'; text: string }
  | { reason: 'max_turns' }
  | { reason: 'refused'; category: string | null }
  | { reason: 'cut'; stopReason: 'max_tokens' | 'model_context_window_exceeded' }
  | { reason: 'stopped'; by: 'hook' | 'person' | 'limit'; text: string }
  | { reason: 'model_failed'; failure: ModelFailure }
  | { reason: 'aborted'; during: 'streaming' | 'tools' };

/** How often an answer that was cut at the token limit is gone on with. */
const MOST_CONTINUATIONS = 3;

const CUT_CALL =
  'Not run: your answer was cut at the token limit, so the input of this call may be incomplete. Send it again, in smaller pieces.';
const GO_ON =
  'Your answer was cut at the token limit. Go on exactly where it stopped, without repeating anything.';

/** Asks the model, runs its calls, repeats, until the model is done or something ends the run. */
export async function* runLoop(parts: LoopParts): AsyncGenerator<LoopEvent, LoopEnd> {
  const { history, signal } = parts;
  let answers = 0;
  let continuations = 0;
  let goOns = 0;
  let cutText = '';
  try {
    for (;;) {
      if (signal.aborted) return { reason: 'aborted', during: 'streaming' };
      if (answers === parts.maxTurns) return { reason: 'max_turns' };

      const answer = yield* ask(parts);
      if ('end' in answer) return answer.end;
      answers += 1;
      const { message } = answer;
      if (message.stop_reason === 'refusal') {
        yield answered(answer, message.content);
        return { reason: 'refused', category: message.stop_details?.category ?? null };
      }
      const { content, calls } = history.addAnswer(message.content);
      yield answered(answer, content);
      const isCut =
        message.stop_reason === 'max_tokens' || message.stop_reason === 'model_context_window_exceeded';

      if (calls.length > 0) {
        const asked = calls.map(({ block, givenId }) => ({
          block,
          // A cut answer may hold inputs that can be read and yet are not whole: nothing of it runs.
          broken: isCut ? CUT_CALL : answer.brokenInputs.get(givenId),
        }));
        const round = yield* runRound(parts, asked);
        if (round.end) return round.end;
        cutText = '';
      }
      if (message.stop_reason === 'model_context_window_exceeded')
        return { reason: 'cut', stopReason: message.stop_reason };
      if (calls.length > 0 && message.stop_reason !== 'max_tokens') {
        continuations = 0;
        continue;
      }
      if (message.stop_reason === 'max_tokens') {
        if (continuations === MOST_CONTINUATIONS) return { reason: 'cut', stopReason: 'max_tokens' };
        continuations += 1;
        if (calls.length === 0) {
          cutText += answerText(content);
          yield addText(history, GO_ON);
        }
        continue;
      }
      // The service paused a long answer of its own tools: the same history again makes it go on.
      if (message.stop_reason === 'pause_turn' && content.length > 0) continue;

      const text = cutText + answerText(content);
      const ending = await parts.beforeEnd(text, goOns);
      if (signal.aborted) return { reason: 'aborted', during: 'streaming' };
      if (ending.stopped !== undefined) return { reason: 'stopped', by: 'hook', text: ending.stopped };
      if (ending.goOn === undefined) return { reason: 'completed', text };
      goOns += 1;
      continuations = 0;
      cutText = '';
      yield addText(history, ending.goOn);
    }
  } finally {
    // Whatever ended the run, also a caller that left in the middle: every call has its answer.
    history.closeCalls();
  }
}

/** One answer of the model, or the end of the run when there is none. */
async function* ask({
  model,
  body,
  history,
  signal,
}: LoopParts): AsyncGenerator<LoopEvent, ModelAnswer | { end: LoopEnd }> {
  try {
    for await (const event of model.ask(body.bytes(history.messages), signal)) {
      if (event.type === 'answer') return event.answer;
      yield event;
    }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    if (signal.aborted || error.failure.type === 'aborted')
      return { end: { reason: 'aborted', during: 'streaming' } };
    return { end: { reason: 'model_failed', failure: error.failure } };
  }
  throw new Error('The model ended without an answer.');
}

/** Runs the calls of one answer and closes them with one message. */
async function* runRound(
  { runCalls, afterRound, history, signal }: LoopParts,
  asked: readonly RequestedCall[],
): AsyncGenerator<LoopEvent, { end?: LoopEnd }> {
  const results: CallResult[] = [];
  for await (const result of runCalls(asked, signal)) {
    history.addResult(result.result);
    results.push(result);
    yield { type: 'call_result', result };
  }
  const stop = results.find((result) => result.stop)?.stop;
  const texts = results.flatMap((result) => result.texts);
  if (!stop && !signal.aborted) texts.push(...(await afterRound(results)));
  history.closeCalls(texts);
  if (stop) return { end: { reason: 'stopped', by: stop.by, text: stop.text } };
  return signal.aborted ? { end: { reason: 'aborted', during: 'tools' } } : {};
}

function answered({ message, durationMs }: ModelAnswer, content: ContentBlock[]): LoopEvent {
  return { type: 'answer', message: { ...message, content }, durationMs };
}

function addText(history: History, text: string): LoopEvent {
  history.addUser(text);
  return { type: 'added_text', text };
}
