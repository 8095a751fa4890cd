import { newId } from '../environment.js';
import type { StopReason, Usage } from '../protocol/api.js';
import type { Answer, AnswerBlock } from './steps.js';

/** An answer in the shape of the API, with every id filled in. */
export interface WireMessage {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: WireBlock[];
  stop_reason: StopReason | null;
  stop_sequence: null;
  stop_details: Answer['stopDetails'] | null;
  usage: Partial<Usage>;
}

type WireBlock = Exclude<AnswerBlock, { type: 'tool_use' }> | WireToolUse;
interface WireToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

const CHARACTERS_A_TOKEN = 4;

/** A fresh id with the API's prefix. */
export function wireId(prefix: 'msg' | 'toolu' | 'req'): string {
  return `${prefix}_${newId().replaceAll('-', '').slice(0, 24)}`;
}

/** The message for an answer; `request` gives the model's name and the size for the usage estimate. */
export function answerMessage(
  answer: Answer,
  request: { model?: string; length?: number } = {},
): WireMessage {
  const content = (answer.content ?? blocksOf(answer)).map(withId);
  const callsTools = content.some((block) => block.type === 'tool_use');
  return {
    id: answer.id ?? wireId('msg'),
    type: 'message',
    role: 'assistant',
    model: answer.model ?? request.model ?? 'scripted',
    content,
    stop_reason: answer.stopReason ?? (callsTools ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: answer.stopDetails ?? null,
    usage: {
      input_tokens: tokens(request.length ?? 0),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokens(JSON.stringify(content).length),
      service_tier: 'standard',
      ...answer.usage,
    },
  };
}

/** The stream events of an answer, in the API's order. Useful to take apart and send with `rawStream`. */
export function answerEvents(
  answer: Answer,
  message: WireMessage = answerMessage(answer),
): Array<Record<string, unknown>> {
  const { usage } = message;
  const events: Array<Record<string, unknown>> = [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_details: null,
        usage: { ...usage, output_tokens: Math.min(1, usage.output_tokens ?? 1) },
      },
    },
  ];
  message.content.forEach((block, index) => {
    events.push({ type: 'content_block_start', index, content_block: emptied(block) });
    if (index === 0) events.push({ type: 'ping' });
    for (const delta of deltas(block, answer)) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  });
  const { stop_reason, stop_sequence, stop_details } = message;
  events.push({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence, ...(stop_details ? { stop_details } : {}) },
    // Cumulative: what the client reads here replaces what it read at the start.
    usage: {
      input_tokens: usage.input_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
      output_tokens: usage.output_tokens,
    },
  });
  events.push({ type: 'message_stop' });
  return events;
}

function blocksOf(answer: Answer): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  if (answer.thinking) {
    const { text, signature } = answer.thinking;
    blocks.push({ type: 'thinking', thinking: text, signature });
  }
  if (answer.text !== undefined) blocks.push({ type: 'text', text: answer.text });
  for (const call of answer.toolUses ?? []) blocks.push({ type: 'tool_use', ...call });
  return blocks;
}

function withId(block: AnswerBlock): WireBlock {
  if (block.type !== 'tool_use') return block;
  return { type: 'tool_use', id: block.id ?? wireId('toolu'), name: block.name, input: block.input };
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

/** A block as it stands in its `content_block_start`. */
function emptied(block: WireBlock): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltas(block: WireBlock, answer: Answer): object[] {
  const size = answer.chunkSize ?? 48;
  switch (block.type) {
    case 'text':
      return pieces(block.text, size).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(block.thinking, size).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use': {
      const json = JSON.stringify(block.input) ?? '';
      const split = answer.toolInputChunks ?? 24;
      // The API starts every tool input with an empty piece.
      const parts = typeof split === 'function' ? split(json) : ['', ...pieces(json, split)];
      return parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    }
    default:
      return [];
  }
}

/** The text in pieces of `size` characters (code points, so that no surrogate pair is torn). */
function pieces(text: string, size: number): string[] {
  const characters = Array.from(text);
  const step = Math.max(1, Math.floor(size));
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += step) found.push(characters.slice(at, at + step).join(''));
  return found;
}
