import type { StopReason, Usage } from '../protocol/api.js';

/** One block of a scripted answer, as the Messages API has it. A `tool_use` without `id` gets a fresh one. */
export type AnswerBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id?: string; name: string; input: unknown };

/** What the model says in one round. All fields are optional; `answer({})` is an answer without content. */
export interface Answer {
  /** One text block, after the thinking and before the tool calls. */
  text?: string;
  /** One signed thinking block, first. */
  thinking?: { text: string; signature: string };
  /** Tool calls, in order. */
  toolUses?: ReadonlyArray<{ id?: string; name: string; input: unknown }>;
  /** The exact blocks in order, in the place of `text`, `thinking` and `toolUses`. */
  content?: readonly AnswerBlock[];
  /** Default `tool_use` when there are tool calls, else `end_turn`. */
  stopReason?: StopReason;
  /** Goes with `stopReason: 'refusal'`. */
  stopDetails?: { type: string; category?: string | null; explanation?: string | null };
  /** Replaces single counts. By default they are estimated: four characters a token. */
  usage?: Partial<Usage>;
  /** Default: the model of the request. */
  model?: string;
  /** The message's id. Default: a fresh `msg_…`. */
  id?: string;
  /** Characters in each text or thinking delta. Default 48. */
  chunkSize?: number;
  /** Characters in each piece of a tool's input, or the pieces themselves for the input's JSON. Default 24. */
  toolInputChunks?: number | ((json: string) => readonly string[]);
  /** Pause before each event, in milliseconds. Default 0. */
  delayMs?: number;
}

export interface HttpError {
  status: number;
  /** The API's word: `overloaded_error`, `rate_limit_error`, … */
  type: string;
  message: string;
  /** More headers, such as `{ 'retry-after': '2' }`. */
  headers?: Readonly<Record<string, string>>;
  /** Default: a fresh `req_…`. */
  requestId?: string;
}

/** How a raw stream ends: properly, with the connection cut in the middle of an event, or never. */
export type StreamEnd = 'close' | 'cut' | 'hang';

export interface RawStream {
  /** Objects are sent as events named by their `type`; texts are sent as they are, byte for byte. */
  events: ReadonlyArray<object | string>;
  /** Default `close`. */
  end?: StreamEnd;
  /** Pause before each event, in milliseconds. Default 0. */
  delayMs?: number;
}

export interface Stall {
  /** Silence before anything is sent, in milliseconds. */
  ms: number;
  /** What is answered after it. Default: the connection is cut. */
  next?: Step;
}

/** What the server answers to one request. */
export type Step =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'http_error'; error: HttpError }
  | { kind: 'raw_stream'; stream: RawStream }
  | { kind: 'stall'; stall: Stall };

/** A whole answer of the model, streamed or as JSON, as the request asks. */
export function answer(fields: Answer): Step {
  return { kind: 'answer', answer: fields };
}

/** An answer with an HTTP status and the API's error body. */
export function httpError(error: HttpError): Step {
  return { kind: 'http_error', error };
}

/** HTTP 200 and exactly these stream events, right or wrong, whether or not the request asks for a stream. */
export function rawStream(stream: RawStream): Step {
  return { kind: 'raw_stream', stream };
}

/** Silence first. */
export function stall(settings: Stall): Step {
  return { kind: 'stall', stall: settings };
}
