import type { ReminderView } from './settings.js';

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';

/** Bytes (UTF-8) of a reminder, tags and all. It stays in every later request, so a long plan must not fill it. */
export const MAX_REMINDER_BYTES = 2048;

/** Room for the line that says how many items were left out. */
const LEFT_OUT_BYTES = 48;

/** The default text: how many items are open, the items, and what to do. Tags included, at most 2,048 bytes. */
export function reminderText(view: ReminderView): string {
  if (view.kind === 'start' || view.items.length === 0) return wrapReminder(startText(view.mode));
  const { intro, ending } = staleText(view);
  const lines: string[] = [];
  let room = MAX_REMINDER_BYTES - bytes(`${OPEN}\n${intro}\n${ending}\n${CLOSE}`) - LEFT_OUT_BYTES;
  for (const item of view.items) {
    const line = harmless(item.line);
    room -= bytes(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const leftOut = view.openCount - lines.length;
  if (leftOut > 0) lines.push(`… and ${leftOut} more open`);
  return wrapReminder([intro, ...lines, ending].join('\n'));
}

/** Any text as a reminder: inside the tag, and cut with a note when it is longer than 2,048 bytes in all. */
export function wrapReminder(text: string): string {
  const body = harmless(text);
  const room = MAX_REMINDER_BYTES - bytes(`${OPEN}\n\n${CLOSE}`);
  if (bytes(body) <= room) return `${OPEN}\n${body}\n${CLOSE}`;
  const head = cutBytes(body, room - LEFT_OUT_BYTES);
  return `${OPEN}\n${head}\n… and ${bytes(body) - bytes(head)} bytes more\n${CLOSE}`;
}

/** Whether a text block is a reminder. */
export function isReminder(text: string): boolean {
  return text.trimStart().startsWith(OPEN);
}

function staleText({ mode, openCount }: ReminderView): { intro: string; ending: string } {
  const items = openCount === 1 ? '1 item' : `${openCount} items`;
  if (mode === 'todo')
    return {
      intro: `The plan of this job still has ${items} open:`,
      ending:
        'These are the steps the user is waiting for. If a state is out of date, write the todo list again with all of it; ' +
        'else go on with the item in progress. Do not mention this reminder.',
    };
  return {
    intro: `The task list of this job still has ${items} open:`,
    ending:
      'These are the steps the user is waiting for. If a state is out of date, correct it with TaskUpdate; ' +
      'else go on with the task in progress. Do not mention this reminder.',
  };
}

function startText(mode: ReminderView['mode']): string {
  const how = mode === 'todo' ? 'a short todo list' : 'a few tasks (TaskCreate)';
  return `This job has run for a while without a plan. If several steps are still ahead, ${how} may help to keep them in view; if not, go on. Do not mention this reminder.`;
}

/** A text inside the tag must not close it or open another. */
function harmless(text: string): string {
  return text.replace(/<(?=\s*\/?\s*system-reminder)/gi, '‹');
}

function bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The longest start of the text that fits, never half a character. */
function cutBytes(text: string, room: number): string {
  let head = '';
  let used = 0;
  for (const character of text) {
    used += bytes(character);
    if (used > room) break;
    head += character;
  }
  return head;
}
