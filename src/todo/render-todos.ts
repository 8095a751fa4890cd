import { stripVTControlCharacters, styleText } from 'node:util';
import type { Todo, TodoStatus } from './todo.js';

export interface RenderOptions {
  /** Whether to colour; the caller knows its stream. Default false. */
  color?: boolean;
  /** Terminal columns; no line is wider. Default 80. */
  width?: number;
}

const MARKS: Record<TodoStatus, string> = { pending: ' ', in_progress: '▸', completed: '✓' };

/**
 * The todo list for a terminal: the heading `Current Tasks`, then a line an item with its mark. An item in progress
 * shows its `activeForm`. Empty text for an empty list. Pure: writes nothing, asks no stream.
 */
export function renderTodos(todos: readonly Todo[], options: RenderOptions = {}): string {
  if (todos.length === 0) return '';
  const { color = false, width = 80 } = options;
  const lines = todos.map((todo) => {
    const text = todo.status === 'in_progress' ? todo.activeForm : todo.content;
    return paint(clipToWidth(`${MARKS[todo.status]} ${text}`, width), todo.status, color);
  });
  return [paint(clipToWidth('Current Tasks', width), 'heading', color), ...lines].join('\n');
}

const segmenter = new Intl.Segmenter();

/** Signs that take two columns in a terminal: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F1E6}-\u{1F1FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)/u;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** One line of at most `width` columns, a cut shown as `…`. */
export function clipToWidth(text: string, width: number): string {
  // An item's text must not steer the terminal: no escape sequences, control or bidirectional characters.
  const line = stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trimEnd();
  let used = 0;
  let fits = '';
  let clipped = '';
  for (const { segment } of segmenter.segment(line)) {
    const columns = columnsOf(segment);
    if (used + columns > width) return width > 0 ? `${clipped}…` : '';
    used += columns;
    fits += segment;
    if (used <= width - 1) clipped = fits;
  }
  return fits;
}

function columnsOf(segment: string): number {
  if (WIDE.test(segment)) return 2;
  return ZERO_WIDTH.test(segment) ? 0 : 1;
}

function paint(text: string, what: TodoStatus | 'heading', color: boolean): string {
  if (!color || what === 'pending') return text;
  const style = what === 'heading' ? 'bold' : what === 'in_progress' ? 'cyan' : 'green';
  // The caller has decided about colour; the check of stdout would decide again.
  return styleText(style, text, { validateStream: false });
}
