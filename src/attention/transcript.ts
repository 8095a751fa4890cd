/** A message of a transcript, as little of it as a report needs: an SDKMessage, or a parsed line of JSON. */
export interface TranscriptMessage {
  type: string;
  message?: unknown;
  parent_tool_use_id?: unknown;
  tool_use_result?: unknown;
  timestamp?: unknown;
}

/** A tool call of the main agent with what came back. */
export interface TranscriptCall {
  /** The model answer it belongs to: 1, 2, 3 …; answers without a call are not counted. */
  round: number;
  /** Its place among all calls: 0, 1, 2 … */
  order: number;
  name: string;
  input: Record<string, unknown>;
  /** Undefined until the result is seen: a call without a result is neither good nor bad. */
  ok?: boolean;
  result?: unknown;
  resultText: string;
  /** Milliseconds since 1970 of the result, else of the call. */
  time?: number;
}

export interface Transcript {
  rounds: number;
  calls: TranscriptCall[];
  /** The round after which each reminder was added. */
  reminderRounds: number[];
}

const REMINDER_TAG = '<system-reminder>';

/**
 * Picks the main agent's calls, results and reminders out of a transcript. Unknown messages, and what sub-agents
 * said, are skipped. An answer that arrives in several messages of one id counts as one round. Never throws on data.
 */
export function readTranscript(messages: Iterable<TranscriptMessage>): Transcript {
  const calls: TranscriptCall[] = [];
  const byId = new Map<string, TranscriptCall>();
  const reminderRounds: number[] = [];
  let rounds = 0;
  let answerId: unknown;
  for (const line of messages) {
    if (!isRecord(line) || typeof line.parent_tool_use_id === 'string') continue;
    const message = isRecord(line.message) ? line.message : {};
    const blocks = blocksOf(message);
    const time = timeOf(line.timestamp);
    if (line.type === 'assistant') {
      const uses = blocks.filter((block) => block.type === 'tool_use' && typeof block.name === 'string');
      const id = typeof message.id === 'string' ? message.id : undefined;
      if (uses.length > 0 && (id === undefined || id !== answerId)) rounds += 1;
      if (uses.length > 0) answerId = id;
      for (const use of uses) {
        const input = isRecord(use.input) ? use.input : {};
        const call = { round: rounds, order: calls.length, name: String(use.name), input, resultText: '' };
        calls.push(time === undefined ? call : { ...call, time });
        const pushed = calls.at(-1);
        if (typeof use.id === 'string' && pushed) byId.set(use.id, pushed);
      }
    } else if (line.type === 'user') {
      const results = blocks.filter((block) => block.type === 'tool_result');
      for (const block of results) {
        const call = typeof block.tool_use_id === 'string' ? byId.get(block.tool_use_id) : undefined;
        if (call === undefined) continue;
        call.ok = block.is_error !== true;
        call.resultText = textOf(block.content);
        // With several results in one message nobody can say whose the structured one is.
        if (results.length === 1) call.result = line.tool_use_result;
        if (time !== undefined) call.time = time;
      }
      if (blocks.some((block) => block.type === 'text' && startsReminder(block.text)))
        reminderRounds.push(rounds);
    }
  }
  return { rounds, calls, reminderRounds };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function blocksOf(message: Record<string, unknown>): Array<Record<string, unknown>> {
  const { content } = message;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function startsReminder(text: unknown): boolean {
  return typeof text === 'string' && text.trimStart().startsWith(REMINDER_TAG);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
    .join('\n');
}

function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp === 'number' && Number.isFinite(timestamp)) return timestamp;
  if (typeof timestamp !== 'string') return undefined;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}
