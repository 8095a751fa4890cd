import type { SDKMessage } from '../protocol/messages.js';
import { isRecord, textOf } from '../testing/wire-value.js';
import { readTestCounts, type TestCounts, testCountsText } from './test-counts.js';

/** Follows a run and says what happens: a line for each answer of the model and for each run of the tests. */
export class DemoProgress {
  readonly testRuns: TestCounts[] = [];
  readonly #write: (line: string) => void;
  readonly #testCalls = new Set<string>();
  #round = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  see(message: SDKMessage): void {
    if (message.type === 'assistant') this.#seeAnswer(message.message.content);
    else if (message.type === 'user') this.#seeResults(message.message.content);
    else if (message.type === 'system' && message.subtype === 'init') {
      const { mode, reason } = message.planning;
      this.#write(`  planning ${mode} (${reason}); tools: ${message.tools.join(' ')}`);
    } else if (message.type === 'system' && message.subtype === 'informational') {
      this.#write(`  note: ${message.content}`);
    }
  }

  reminded(text: string): void {
    const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('<')) ?? '';
    this.#write(`  ⏰ reminder after round ${this.#round}: ${first}`);
  }

  #seeAnswer(content: readonly unknown[]): void {
    const blocks = content.filter(isRecord);
    const calls = blocks.filter((block) => block.type === 'tool_use');
    const said = blocks
      .filter((block) => block.type === 'text')
      .map((block) => textOf(block.text))
      .join(' ');
    if (calls.length > 0) this.#round += 1;
    const label = calls.length > 0 ? `${String(this.#round).padStart(3)}.` : '    ';
    this.#write(`${label} ${said}`.trimEnd());
    if (calls.length > 0) this.#write(`       ${counted(calls.map(callText)).join(' · ')}`);
    for (const call of calls) {
      if (call.name === 'Bash') this.#testCalls.add(textOf(call.id));
    }
  }

  #seeResults(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content.filter(isRecord)) {
      if (block.type !== 'tool_result' || !this.#testCalls.has(textOf(block.tool_use_id))) continue;
      const counts = readTestCounts(contentText(block.content));
      if (!counts) continue;
      this.testRuns.push(counts);
      this.#write(`       ${counts.failed > 0 ? '✗' : '✓'} tests: ${testCountsText(counts)}`);
    }
  }
}

function callText(call: Record<string, unknown>): string {
  const name = textOf(call.name);
  const input = isRecord(call.input) ? call.input : {};
  if (name === 'TodoWrite') return `TodoWrite ${todoText(input.todos)}`;
  if (name === 'TaskUpdate') return `TaskUpdate #${String(input.taskId)} ${textOf(input.status) || 'edges'}`;
  if (name === 'Bash') return `Bash ${textOf(input.command)}`;
  if (name === 'Grep') return `Grep ${textOf(input.pattern)}`;
  return name;
}

function todoText(todos: unknown): string {
  const states = Array.isArray(todos) ? todos.filter(isRecord).map((todo) => todo.status) : [];
  const done = states.filter((state) => state === 'completed').length;
  const current = states.indexOf('in_progress');
  return `${done} of ${states.length} done${current < 0 ? '' : `, step ${current + 1} in progress`}`;
}

/** Equal neighbours once, with their number. */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} ×${count}`));
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .map((part) => textOf(part.text))
    .join('\n');
}
