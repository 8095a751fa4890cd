import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../environment.js';
import { errorText } from '../errors.js';
import type { MessagesRequestBody, RecordedRequest } from './recorded-request.js';
import { Script, type ScriptSteps } from './script.js';
import { sendError, sendJson, sendStep } from './send-step.js';
import type { Step } from './steps.js';
import { validateMessagesRequest } from './validate-request.js';
import { isRecord } from './wire-value.js';

export interface MessagesServerOptions {
  steps: ScriptSteps;
  /** The only key that is let in. Default: any key or token. */
  apiKey?: string;
  /** Whether requests are checked as the real API does. Default true. */
  validate?: boolean;
  /** What `GET /v1/models` lists. */
  models?: readonly string[];
}

export interface MessagesServer {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** Every request to `/v1/messages` in order, the refused ones too. */
  readonly requests: readonly RecordedRequest[];
  /** What was wrong with requests, and requests for which the script had no step. */
  readonly violations: readonly string[];
  /** Ends every connection, open streams included. */
  close(): Promise<void>;
  /** Throws `script_mismatch` when steps are left over or there are violations. */
  assertDone(): void;
}

/** Bytes; the real API answers 413 above it. */
const LARGEST_REQUEST = 32 * 1024 * 1024;

/**
 * A local stand-in for the Messages API on 127.0.0.1 at a free port: real HTTP and real server-sent events, so the
 * real client code runs; only the answers are scripted. Requests are checked by the rules of the real API.
 */
export async function startMessagesServer(options: MessagesServerOptions): Promise<MessagesServer> {
  const service = new MessagesService(options);
  const server = createServer((request, response) => {
    service.handle(request, response).catch((error: unknown) => {
      service.violations.push(`the script failed: ${errorText(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 400, 'script_failed', errorText(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: service.requests,
    violations: service.violations,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    assertDone: () => service.script.assertDone(service.violations),
  };
}

class MessagesService {
  readonly requests: RecordedRequest[] = [];
  readonly violations: string[] = [];
  readonly script: Script;
  readonly #options: MessagesServerOptions;
  readonly #issuedThinking = new Map<string, string>();

  constructor(options: MessagesServerOptions) {
    this.#options = options;
    this.script = new Script(options.steps);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const bytes = await readBody(request);
    if (!bytes) return;
    const headers = headersOf(request);
    const isMessages = request.method === 'POST' && path === '/v1/messages';
    const recorded = isMessages ? this.#record(bytes, headers) : undefined;
    const keyProblem = this.#keyProblem(headers);
    if (keyProblem) return refuse(response, 401, 'authentication_error', keyProblem);
    if (!headers['anthropic-version']) {
      return refuse(response, 400, 'invalid_request_error', 'anthropic-version: header is required');
    }
    if (request.method === 'GET' && path === '/v1/models') return sendJson(response, 200, this.#models());
    if (!recorded) return refuse(response, 404, 'not_found_error', `${request.method} ${path} is not served`);
    if (bytes.length > LARGEST_REQUEST) {
      return refuse(response, 413, 'request_too_large', 'Request exceeds the maximum size');
    }
    const problems = this.#check(recorded);
    if (problems.length > 0) {
      const at = `request ${this.requests.indexOf(recorded) + 1}`;
      this.violations.push(...problems.map((problem) => `${at}: ${problem}`));
      return refuse(response, 400, 'invalid_request_error', problems.join('; '));
    }
    const step = await this.script.next(recorded);
    if (!step) return this.#refuseSurplus(response);
    return this.#send(response, step, recorded, bytes.length);
  }

  #record(bytes: Buffer, headers: RecordedRequest['headers']): RecordedRequest {
    const text = bytes.toString();
    // A body that broke the rules is recorded as it came; the type speaks of the ones that are let through.
    const body = (parsedJson(text) ?? {}) as MessagesRequestBody;
    const recorded = { body, headers, text, time: systemClock() };
    this.requests.push(recorded);
    return recorded;
  }

  #keyProblem(headers: RecordedRequest['headers']): string | undefined {
    const key = headers['x-api-key'] || headers.authorization?.replace(/^Bearer\s+/i, '');
    if (!key) return 'x-api-key header is required';
    const { apiKey } = this.#options;
    return apiKey !== undefined && key !== apiKey ? 'invalid x-api-key' : undefined;
  }

  #check(recorded: RecordedRequest): string[] {
    if (!isRecord(recorded.body) || Object.keys(recorded.body).length === 0) {
      return ['The request body is not a JSON object'];
    }
    if (this.#options.validate === false) return [];
    return validateMessagesRequest(recorded.body, { issuedThinking: this.#issuedThinking });
  }

  #refuseSurplus(response: ServerResponse): void {
    const message = `request ${this.requests.length} came after the last of ${this.script.given} scripted steps`;
    this.violations.push(message);
    refuse(response, 400, 'script_exhausted', message);
  }

  #send(response: ServerResponse, step: Step, { body }: RecordedRequest, length: number): Promise<void> {
    const request = { model: body.model, length, stream: body.stream === true };
    return sendStep(response, step, request, (signature, text) => {
      this.#issuedThinking.set(signature, text);
    });
  }

  #models(): object {
    const names = this.#options.models ?? ['claude-sonnet-5-5'];
    const data = names.map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z',
    }));
    return { data, has_more: false, first_id: names.at(0) ?? null, last_id: names.at(-1) ?? null };
  }
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  sendError(response, { status, type, message });
}

/** The whole body, or undefined when the client left in the middle of it. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch (error) {
    // A client that goes away while sending is what an interrupted run does; there is nobody left to answer.
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON at all: the caller answers it as the API would.
    return undefined;
  }
}
