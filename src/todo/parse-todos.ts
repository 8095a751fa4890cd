import { LiteralSyntaxError, parseLiteral } from './literal-parser.js';

export type ParsedTodos =
  | { ok: true; todos: unknown[] }
  /** `reason` completes the sentence "`todos` was sent as text, and the text …". */
  | { ok: false; reason: string };

/**
 * Reads a todo list that a model sent as text: JSON, or a Python literal list. A text that was cut off is refused,
 * never completed, because completing it would drop items. Never throws, never evaluates.
 */
export function parseTodosText(text: string): ParsedTodos {
  let value: unknown;
  try {
    value = parseText(text);
  } catch (error) {
    if (!(error instanceof LiteralSyntaxError)) throw error;
    return { ok: false, reason: `is not a complete list: ${error.message}` };
  }
  if (Array.isArray(value)) return { ok: true, todos: value };
  return { ok: false, reason: `holds ${typeName(value)}, not an array` };
}

/**
 * The repair of the TodoWrite input: `todos` as text becomes the array it spells, and so does an item sent as text.
 * Whatever does not parse stays as it was, for the schema to refuse. Gives a new object; never throws.
 */
export function repairTodosInput(input: unknown): unknown {
  if (!isRecord(input) || !('todos' in input)) return input;
  const { todos } = input;
  const parsed = typeof todos === 'string' ? parseTodosText(todos) : undefined;
  const list = parsed?.ok ? parsed.todos : todos;
  if (!Array.isArray(list)) return input;
  return { ...input, todos: list.map(repairItem) };
}

/** Why `todos` as text could not be read; undefined when `todos` is no text or is a readable list. */
export function explainTodosText(input: unknown): string | undefined {
  if (!isRecord(input) || typeof input.todos !== 'string') return undefined;
  const parsed = parseTodosText(input.todos);
  if (parsed.ok) return undefined;
  return `\`todos\`: expected array, received string. \`todos\` was sent as text, and the text ${parsed.reason}.`;
}

function repairItem(item: unknown): unknown {
  if (typeof item !== 'string') return item;
  try {
    const value = parseText(item);
    return isRecord(value) ? value : item;
  } catch (error) {
    if (error instanceof LiteralSyntaxError) return item; // Plain words: the schema refuses them by index.
    throw error;
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parseLiteral(text); // Not JSON; the literal parser has the last word.
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
