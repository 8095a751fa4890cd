import type {
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlock,
} from '../protocol/api.js';

/** A call that waits for its answer. */
export interface OpenCall {
  /** As it stands in the history. */
  block: ToolUseBlock;
  /** The id the model gave; differs from `block.id` when that was taken. */
  givenId: string;
}

export const INTERRUPTED =
  'Interrupted: this call was not finished, and what it had done by then is unknown.';

/**
 * The messages of a conversation, always in a form that the API accepts. Rules, each kept here and nowhere else:
 * no empty text block and no empty message; every `tool_use` has exactly one `tool_result`, in the order of the calls,
 * in the very next message; ids are unique; what was added is never changed, so that the prompt cache stays whole.
 */
export class History {
  readonly #messages: MessageParam[] = [];
  readonly #ids = new Set<string>();
  #open: OpenCall[] = [];
  readonly #results = new Map<string, ToolResultBlockParam>();

  get messages(): readonly MessageParam[] {
    return this.#messages;
  }

  /** Calls of the newest answer that have no result yet. */
  get openCalls(): readonly OpenCall[] {
    return this.#open;
  }

  /** Adds a user message. Blank texts are left out; with nothing left no message is added. Closes open calls first. */
  addUser(content: string | readonly ContentBlockParam[]): void {
    this.closeCalls();
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    this.#push('user', blocks.filter(isSendable));
  }

  /**
   * Adds an answer and gives what was stored of it and the calls to be answered. Blocks stay as they came, except: blank
   * texts go; thinking without a signature goes (the API refuses it), and so does thinking at the very end; a call whose
   * id was used before gets another one. Nothing is stored of an answer without content.
   */
  addAnswer(content: readonly ContentBlock[]): { content: ContentBlock[]; calls: OpenCall[] } {
    this.closeCalls();
    const kept = content.filter((block) => isSendable(block) && !isUnsignedThinking(block));
    while (isThinking(kept.at(-1))) kept.pop();
    const calls: OpenCall[] = [];
    const stored = kept.map((block) => {
      if (block.type !== 'tool_use') return block;
      const call = { block: this.#withFreeId(block), givenId: block.id };
      calls.push(call);
      return call.block;
    });
    this.#push('assistant', stored as ContentBlockParam[]);
    this.#open = calls;
    return { content: stored, calls };
  }

  /** Keeps the result of one open call until the round is closed. A second result for the same call is a mistake. */
  addResult(result: ToolResultBlockParam): void {
    const isOpen = this.#open.some(({ block }) => block.id === result.tool_use_id);
    if (!isOpen || this.#results.has(result.tool_use_id)) {
      throw new Error(`No call waits for a result under the id ${result.tool_use_id}.`);
    }
    this.#results.set(result.tool_use_id, result);
  }

  /**
   * Answers the open calls in their order, those without a result as interrupted, with `texts` behind them in the same
   * message. Gives the results that had to be made up. Without open calls it does nothing.
   */
  closeCalls(texts: readonly string[] = []): ToolResultBlockParam[] {
    if (this.#open.length === 0) return [];
    const missing: ToolResultBlockParam[] = [];
    const results = this.#open.map(({ block }) => {
      const given = this.#results.get(block.id);
      if (given) return given;
      const result = interruptedResult(block.id);
      missing.push(result);
      return result;
    });
    const tail = texts.map((text) => ({ type: 'text' as const, text })).filter(isSendable);
    this.#open = [];
    this.#results.clear();
    this.#push('user', [...results, ...tail]);
    return missing;
  }

  #push(role: 'user' | 'assistant', content: ContentBlockParam[]): void {
    if (content.length > 0) this.#messages.push({ role, content });
  }

  #withFreeId(block: ToolUseBlock): ToolUseBlock {
    let id = block.id;
    for (let copy = 2; this.#ids.has(id); copy++) id = `${block.id}_${copy}`;
    this.#ids.add(id);
    return id === block.id ? block : { ...block, id };
  }
}

export function interruptedResult(id: string): ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: id, content: INTERRUPTED, is_error: true };
}

function isSendable(block: ContentBlockParam | ContentBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
}

function isThinking(block: ContentBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

function isUnsignedThinking(block: ContentBlock): boolean {
  return block.type === 'thinking' && block.signature === '';
}
