import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerEvents, answerMessage, wireId } from './answer-message.js';
import type { Answer, HttpError, RawStream, Step } from './steps.js';
import { isRecord } from './wire-value.js';

/** What a step needs to know of the request that it answers. */
export interface AnsweredRequest {
  model: string;
  /** Bytes, for the usage estimate. */
  length: number;
  stream: boolean;
}

/** Told the text and signature of thinking blocks once they are given out whole. */
export type ThinkingIssued = (signature: string, text: string) => void;

/** Sends one step. Returns early when the client leaves; an open end is held until it does. */
export async function sendStep(
  response: ServerResponse,
  step: Step,
  request: AnsweredRequest,
  issued: ThinkingIssued,
): Promise<void> {
  switch (step.kind) {
    case 'answer':
      return sendAnswer(response, step.answer, request, issued);
    case 'http_error':
      return sendError(response, step.error);
    case 'raw_stream':
      return sendStream(response, step.stream, issued);
    case 'stall': {
      if (!(await pause(response, step.stall.ms))) return;
      if (step.stall.next) return sendStep(response, step.stall.next, request, issued);
      response.destroy();
    }
  }
}

/** An error body as the API sends it. */
export function sendError(response: ServerResponse, error: HttpError): void {
  const requestId = error.requestId ?? wireId('req');
  const { type, message } = error;
  sendJson(
    response,
    error.status,
    { type: 'error', error: { type, message }, request_id: requestId },
    {
      'request-id': requestId,
      ...error.headers,
    },
  );
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  // The client has left: there is nobody to answer.
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'request-id': wireId('req'),
    ...headers,
  });
  response.end(text);
}

async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  request: AnsweredRequest,
  issued: ThinkingIssued,
): Promise<void> {
  const message = answerMessage(answer, request);
  if (request.stream) {
    const events = answerEvents(answer, message);
    return sendStream(response, { events, delayMs: answer.delayMs ?? 0 }, issued);
  }
  for (const block of message.content) {
    if (block.type === 'thinking') issued(block.signature, block.thinking);
  }
  if (await pause(response, answer.delayMs ?? 0)) sendJson(response, 200, message);
}

async function sendStream(
  response: ServerResponse,
  stream: RawStream,
  issued: ThinkingIssued,
): Promise<void> {
  if (response.destroyed) return;
  const { events, end = 'close', delayMs = 0 } = stream;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': wireId('req'),
  });
  noteThinking(events, issued);
  if (delayMs > 0) {
    response.flushHeaders();
    for (const event of events) {
      if (!(await pause(response, delayMs))) return;
      response.write(eventText(event));
    }
  } else {
    // One write: the client's parser still sees every event by itself, and hundreds of turns stay fast.
    const text = events.map(eventText).join('');
    if (end === 'close') {
      response.end(text);
      return;
    }
    response.write(text);
  }
  if (end === 'close') response.end();
  else if (end === 'cut') {
    response.write('event: content_block_delta\ndata: {"type":"content_bl', () => response.destroy());
  } else await untilClosed(response);
}

function eventText(event: object | string): string {
  if (typeof event === 'string') return event;
  const name = isRecord(event) ? String(event.type) : 'message';
  return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
}

function noteThinking(events: RawStream['events'], issued: ThinkingIssued): void {
  const texts = new Map<unknown, string>();
  for (const event of events) {
    if (!isRecord(event)) continue;
    const { delta } = event;
    if (event.type === 'content_block_start') texts.set(event.index, '');
    if (!isRecord(delta)) continue;
    const text = texts.get(event.index) ?? '';
    if (delta.type === 'thinking_delta') texts.set(event.index, text + String(delta.thinking));
    else if (delta.type === 'signature_delta') issued(String(delta.signature), text);
  }
}

/** Waits, and says whether the client is still there. */
async function pause(response: ServerResponse, ms: number): Promise<boolean> {
  if (ms <= 0) return !response.destroyed;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    await sleep(ms, undefined, { signal: gone.signal });
  } catch {
    // Only the abort above ends the wait early; the answer below says so.
  } finally {
    response.off('close', leave);
  }
  return !response.destroyed && !gone.signal.aborted;
}

/** Ends when the client leaves or the server closes its connections. */
function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once('close', resolve);
  });
}
