import { errorText, WaymarkError } from '../errors.js';
import { type Task, taskSchema } from './task.js';

/** Exactly as a Claude Code process writes them: this order, then whatever else the file held. */
const KEYS = [
  'id',
  'subject',
  'description',
  'activeForm',
  'owner',
  'status',
  'blocks',
  'blockedBy',
  'metadata',
] as const;

/** The bytes of a task file: fixed key order, 2-space JSON, absent keys left out, no final newline. */
export function serializeTask(task: Task): string {
  const known: ReadonlySet<string> = new Set(KEYS);
  const entries: Array<[string, unknown]> = [
    ...KEYS.map((key): [string, unknown] => [key, task[key]]),
    ...Object.entries(task).filter(([key]) => !known.has(key)),
  ];
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

export type ParsedTaskFile =
  | { ok: true; task: Task }
  /** `partial`: no whole JSON text, as when a writer that fills files in place is not done yet. */
  | { ok: false; partial: boolean; reason: string };

/**
 * Reads a task file, also of other programs: keys they leave out or set to null get their empty value, a number as
 * id counts as its text, unknown keys are kept. `id` is what the file's name says; a file that says otherwise is
 * not taken for either task.
 */
export function parseTaskFile(text: string, id: string): ParsedTaskFile {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    const reason = text.trim() === '' ? 'the file is empty' : errorText(error);
    return { ok: false, partial: true, reason };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, partial: false, reason: 'it holds no JSON object' };
  }
  const present = Object.entries(value).filter(([, part]) => part !== null);
  const filled = { description: '', blocks: [], blockedBy: [], ...Object.fromEntries(present) };
  const named =
    'id' in filled && typeof filled.id === 'number' ? { ...filled, id: String(filled.id) } : filled;
  const parsed = taskSchema.safeParse(named);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, partial: false, reason: `${issue?.path.join('.') || 'task'}: ${issue?.message}` };
  }
  if (parsed.data.id !== id) {
    return { ok: false, partial: false, reason: `it says it is task ${JSON.stringify(parsed.data.id)}` };
  }
  return { ok: true, task: parsed.data };
}

/**
 * The text to store, and the task as everybody will read it back. Throws `invalid_input` for what no file can
 * hold (a wrong type, a cycle), before anything is written.
 */
export function prepareTask(task: Task): { text: string; task: Task } {
  let text: string;
  try {
    text = serializeTask(task);
  } catch (error) {
    throw new WaymarkError(
      'invalid_input',
      `Task #${task.id} cannot be written as JSON: ${errorText(error)}`,
    );
  }
  const parsed = parseTaskFile(text, task.id);
  if (!parsed.ok) {
    throw new WaymarkError(
      'invalid_input',
      `Task #${task.id} does not fit the task format: ${parsed.reason}`,
    );
  }
  return { text, task: parsed.task };
}
