import { isRecord, textOf } from '../testing/wire-value.js';

/** A tool call of an earlier answer with the text that came back. */
export interface CallView {
  name: string;
  input: Record<string, unknown>;
  /** Empty while there is no result. */
  text: string;
  failed: boolean;
}

/** One earlier answer, and all that the model was told after it: results, reminders, hints. */
export interface RoundView {
  calls: CallView[];
  heard: string;
}

/** The rounds of a request's messages, oldest first. All that the simulated model knows comes from here. */
export function readRounds(messages: readonly unknown[]): RoundView[] {
  const rounds: RoundView[] = [];
  const byId = new Map<string, CallView>();
  for (const message of messages) {
    if (!isRecord(message)) continue;
    const blocks = blocksOf(message.content);
    if (message.role === 'assistant') {
      const calls = blocks.filter((block) => block.type === 'tool_use').map((block) => callView(block, byId));
      rounds.push({ calls, heard: '' });
      continue;
    }
    const round = rounds.at(-1);
    if (!round) continue;
    for (const block of blocks) {
      const text = block.type === 'tool_result' ? resultText(block) : textOf(block.text);
      round.heard += `${text}\n`;
      const call = byId.get(textOf(block.tool_use_id));
      if (block.type !== 'tool_result' || !call) continue;
      call.text = text;
      call.failed = block.is_error === true;
    }
  }
  return rounds;
}

/** The newest call of a name. */
export function lastCall(rounds: readonly RoundView[], name: string): CallView | undefined {
  return rounds.flatMap((round) => round.calls).findLast((call) => call.name === name);
}

function callView(block: Record<string, unknown>, byId: Map<string, CallView>): CallView {
  const input = isRecord(block.input) ? block.input : {};
  const call: CallView = { name: textOf(block.name), input, text: '', failed: false };
  byId.set(textOf(block.id), call);
  return call;
}

function blocksOf(content: unknown): Array<Record<string, unknown>> {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function resultText(block: Record<string, unknown>): string {
  return blocksOf(block.content)
    .map((part) => textOf(part.text))
    .join('\n');
}
