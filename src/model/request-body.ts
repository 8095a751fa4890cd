import type { MessageParam } from '../protocol/api.js';
import type { ModelSetup } from './model.js';

const CACHE_MARK = ',"cache_control":{"type":"ephemeral"}}';
const comma = Buffer.from(',');
const tail = Buffer.from(']}');

/**
 * The bytes of a request. The history only grows, so each message is serialised once and kept; a request is then a
 * concatenation, whatever the length of the conversation.
 *
 * Cache marks: one at the end of the system prompt (it covers the tools before it), one at the end of the newest
 * message, and one where the newest message stood on the request before, so that the cache is found even when a round
 * added more blocks than the API looks back over (20).
 */
export class RequestBody {
  readonly #head: Buffer;
  #settled = Buffer.alloc(64 * 1024);
  #settledBytes = 0;
  #settledMessages = 0;
  #previousEnd = -1;

  constructor(setup: ModelSetup) {
    const fields = {
      model: setup.model,
      max_tokens: setup.maxOutputTokens,
      stream: true,
      ...(setup.tools.length > 0 ? { tools: setup.tools } : {}),
    };
    const system = setup.system.map((block, index) =>
      index === setup.system.length - 1 ? marked(JSON.stringify(block)) : JSON.stringify(block),
    );
    const systemField = system.length > 0 ? `"system":[${system.join(',')}],` : '';
    this.#head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},${systemField}"messages":[`);
  }

  /** The request for this history. Messages given before must be the same ones at the same places. */
  bytes(messages: readonly MessageParam[]): Buffer {
    const last = messages.length - 1;
    const keepFrom = this.#previousEnd >= 0 ? this.#previousEnd : last;
    while (this.#settledMessages < keepFrom) this.#settle(messages[this.#settledMessages]);
    const open: Buffer[] = [];
    for (let index = this.#settledMessages; index <= last; index++) {
      const message = messages[index];
      if (!message) continue;
      if (open.length > 0 || this.#settledBytes > 0) open.push(comma);
      open.push(
        Buffer.from(
          index === last || index === this.#previousEnd ? markMessage(message) : JSON.stringify(message),
        ),
      );
    }
    this.#previousEnd = last;
    return Buffer.concat([this.#head, this.#settled.subarray(0, this.#settledBytes), ...open, tail]);
  }

  #settle(message: MessageParam | undefined): void {
    this.#settledMessages += 1;
    if (!message) return;
    const text = (this.#settledBytes > 0 ? ',' : '') + JSON.stringify(message);
    const needed = this.#settledBytes + Buffer.byteLength(text);
    if (needed > this.#settled.length) {
      const larger = Buffer.alloc(Math.max(needed, this.#settled.length * 2));
      this.#settled.copy(larger, 0, 0, this.#settledBytes);
      this.#settled = larger;
    }
    this.#settledBytes += this.#settled.write(text, this.#settledBytes);
  }
}

/** The message's JSON with a mark on its last block, where that block may carry one. */
function markMessage(message: MessageParam): string {
  const blocks =
    typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content }]
      : message.content;
  const lastBlock = blocks.at(-1);
  // The API refuses marks on thinking blocks.
  if (!lastBlock || lastBlock.type === 'thinking' || lastBlock.type === 'redacted_thinking')
    return JSON.stringify(message);
  const content = blocks.map((block) => JSON.stringify(block));
  content.push(marked(content.pop() ?? ''));
  return `{"role":"${message.role}","content":[${content.join(',')}]}`;
}

function marked(blockJson: string): string {
  return blockJson.slice(0, -1) + CACHE_MARK;
}
