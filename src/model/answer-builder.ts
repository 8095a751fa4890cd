import { errorText } from '../errors.js';
import type { ContentBlock, Message, RawMessageStreamEvent } from '../protocol/api.js';

/**
 * Puts the events of one stream together to the message. Blocks stay exactly as they came: a signed thinking block
 * that is changed by a byte is refused by the API on every later request. The client's own builder throws from inside
 * the stream when a tool's input is no JSON; here the one call is marked and the rest of the answer stands.
 */
export class AnswerBuilder {
  #message: Message | undefined;
  #complete = false;
  readonly #inputPieces = new Map<number, string[]>();
  readonly brokenInputs = new Map<string, string>();

  /** Takes the next event. Unknown events and deltas are passed over: the API may add kinds. */
  add(event: RawMessageStreamEvent): void {
    if (event.type === 'message_start') {
      this.#message = { ...event.message, content: [] };
      return;
    }
    const message = this.#message;
    if (!message) return;
    switch (event.type) {
      case 'content_block_start':
        message.content[event.index] = { ...event.content_block };
        return;
      case 'content_block_delta':
        this.#addDelta(message, event.index, event.delta);
        return;
      case 'content_block_stop':
        this.#closeInput(message.content[event.index], event.index);
        return;
      case 'message_delta': {
        const { stop_reason, stop_sequence, stop_details } = event.delta;
        Object.assign(message, { stop_reason, stop_sequence, stop_details: stop_details ?? null });
        for (const [key, value] of Object.entries(event.usage ?? {})) {
          if (value !== null) Object.assign(message.usage, { [key]: value });
        }
        return;
      }
      case 'message_stop':
        this.#complete = true;
    }
  }

  /** The whole message, or undefined when the stream ended before its end was announced. */
  finish(): Message | undefined {
    if (!this.#message || !this.#complete) return undefined;
    const content = this.#message.content.filter((block) => block !== undefined);
    return { ...this.#message, content };
  }

  #addDelta(
    message: Message,
    index: number,
    delta: Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta'],
  ): void {
    const block = message.content[index];
    if (!block) return;
    if (delta.type === 'text_delta' && block.type === 'text') block.text += delta.text;
    else if (delta.type === 'thinking_delta' && block.type === 'thinking') block.thinking += delta.thinking;
    else if (delta.type === 'signature_delta' && block.type === 'thinking') block.signature = delta.signature;
    else if (delta.type === 'citations_delta' && block.type === 'text') {
      block.citations = [...(block.citations ?? []), delta.citation];
    } else if (delta.type === 'input_json_delta') {
      const pieces = this.#inputPieces.get(index);
      if (pieces) pieces.push(delta.partial_json);
      else this.#inputPieces.set(index, [delta.partial_json]);
    }
  }

  #closeInput(block: ContentBlock | undefined, index: number): void {
    if (block?.type !== 'tool_use' && block?.type !== 'server_tool_use') return;
    const text = (this.#inputPieces.get(index) ?? []).join('');
    // A tool without arguments streams no pieces, or empty ones; then the input of the block's start counts.
    if (text.trim() === '') {
      block.input = typeof block.input === 'object' && block.input !== null ? block.input : {};
      return;
    }
    try {
      const input: unknown = JSON.parse(text);
      if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
        block.input = input;
        return;
      }
      this.#markBroken(block, `The input must be a JSON object, received: ${text}`);
    } catch (error) {
      this.#markBroken(block, `The input is not valid JSON (${errorText(error)}): ${text}`);
    }
  }

  #markBroken(block: { id: string; input: unknown }, problem: string): void {
    block.input = {};
    this.brokenInputs.set(block.id, problem.length > 1000 ? `${problem.slice(0, 1000)}…` : problem);
  }
}
