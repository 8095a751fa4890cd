import type { ToolResultBlockParam } from '../protocol/api.js';
import type { SDKMessage, SDKUserMessage } from '../protocol/messages.js';
import { clipToWidth, renderTodos } from '../todo/render-todos.js';
import { todoSchema } from '../todo/todo.js';
import { painter } from './colour.js';

export interface ProgressOptions {
  colour: boolean;
  /** Columns of the terminal. Default 80. */
  width?: number | undefined;
}

/** The keys by which a call is known at a glance, the telling ones first. */
const TELLING_KEYS = [
  'command',
  'file_path',
  'pattern',
  'path',
  'subject',
  'taskId',
  'task_id',
  'description',
];

const TASK_WRITES = new Set(['TaskCreate', 'TaskUpdate']);

/** What a person watching stderr is shown of one message; empty for most messages. Holds the names of open calls. */
export function progressReporter(options: ProgressOptions): (message: SDKMessage) => string {
  const paint = painter(options.colour);
  const width = Math.max(20, options.width ?? 80);
  const open = new Map<string, string>();

  const callLine = (name: string, input: unknown) =>
    `${paint('dim', clipToWidth(`· ${name} ${telling(input)}`.trimEnd(), width))}\n`;

  function ofResult(block: ToolResultBlockParam, structured: unknown): string {
    const name = open.get(block.tool_use_id) ?? '';
    open.delete(block.tool_use_id);
    if (block.is_error) return `${paint('red', clipToWidth(`! ${name}: ${firstLine(block)}`, width))}\n`;
    if (TASK_WRITES.has(name)) return `${paint('cyan', clipToWidth(`  ${firstLine(block)}`, width))}\n`;
    const todos = submittedTodos(structured);
    return todos === undefined ? '' : `${renderTodos(todos, { color: options.colour, width })}\n`;
  }

  return (message) => {
    switch (message.type) {
      case 'assistant':
        return message.message.content
          .map((block) => {
            if (block.type !== 'tool_use') return '';
            open.set(block.id, block.name);
            // The list itself follows with the result.
            return block.name === 'TodoWrite' ? '' : callLine(block.name, block.input);
          })
          .join('');
      case 'user':
        return resultBlocks(message)
          .map((block) => ofResult(block, message.tool_use_result))
          .join('');
      case 'system':
        return message.subtype === 'api_retry'
          ? `${paint('yellow', clipToWidth(retryText(message), width))}\n`
          : '';
      default:
        return '';
    }
  };
}

function retryText(retry: Extract<SDKMessage, { subtype: 'api_retry' }>): string {
  const status = retry.error_status === null ? '' : ` (${retry.error_status})`;
  const seconds = (retry.retry_delay_ms / 1000).toFixed(1);
  return `model call failed${status}: try ${retry.attempt + 1} of ${retry.max_retries + 1} in ${seconds} s`;
}

function telling(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const values = new Map<string, unknown>(Object.entries(input));
  for (const key of TELLING_KEYS) {
    const value = values.get(key);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

function resultBlocks(message: SDKUserMessage): ToolResultBlockParam[] {
  const { content } = message.message;
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
}

function firstLine(block: ToolResultBlockParam): string {
  const { content } = block;
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join(' ');
  return text.trim().split('\n', 1)[0] ?? '';
}

function submittedTodos(structured: unknown) {
  if (typeof structured !== 'object' || structured === null || !('newTodos' in structured)) return undefined;
  const parsed = todoSchema.array().safeParse(structured.newTodos);
  return parsed.success ? parsed.data : undefined;
}
