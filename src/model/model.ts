import type {
  ContentBlock,
  JsonSchema,
  Message,
  RawMessageStreamEvent,
  TextBlockParam,
} from '../protocol/api.js';

/** One tool as it is sent. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: JsonSchema;
}

/** What stays the same over a run. Kept apart from the messages, so that the prompt cache stays whole. */
export interface ModelSetup {
  model: string;
  maxOutputTokens: number;
  system: readonly TextBlockParam[];
  tools: readonly ToolDefinition[];
}

/** One whole answer, with its blocks exactly as they came. */
export interface ModelAnswer {
  message: Message;
  /** Tool calls whose streamed input was no JSON: id → what was wrong. Their `input` in `message` is `{}`. */
  brokenInputs: ReadonlyMap<string, string>;
  /** Milliseconds from the first try to the end of the answer. */
  durationMs: number;
}

export type ModelEvent =
  | { type: 'stream_event'; event: RawMessageStreamEvent }
  | { type: 'retry'; attempt: number; maxRetries: number; delayMs: number; failure: ModelFailure }
  | { type: 'answer'; answer: ModelAnswer };

/** A failed call in plain data, for the retry rule and for the result message. */
export interface ModelFailure {
  /** HTTP status, null when the connection failed or the error came inside the stream. */
  status: number | null;
  /** The API's word for it (`overloaded_error`), or `connection_error`, or `aborted`. */
  type: string;
  message: string;
  requestId: string | null;
  /** Delay the server asked for, in milliseconds. */
  retryAfterMs: number | null;
  /** The server's explicit word on retrying, which wins over every rule. */
  shouldRetry: boolean | null;
}

/**
 * The model, as the loop sees it. `ask` is called with the bytes of a request, once a round. It yields stream events
 * as they come, a `retry` before each wait, and last the `answer`. After a `retry` everything streamed before is void.
 * It throws `ModelCallError` when tries are used up or trying again is pointless, and ends at once on `signal`.
 */
export interface Model {
  ask(body: Uint8Array, signal: AbortSignal): AsyncGenerator<ModelEvent, void>;
}

/** The model call failed for good. */
export class ModelCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.name = 'ModelCallError';
    this.failure = failure;
  }
}

/** The text of an answer, its text blocks joined. */
export function answerText(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
