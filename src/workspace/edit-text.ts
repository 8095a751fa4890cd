/**
 * The pure core of Edit. Texts are compared with their line ends taken as LF, because that is how a file is shown;
 * the result is cut out of the original text, so that whatever was not matched keeps its bytes.
 */

export interface EditRequest {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

export type EditOutcome =
  | { ok: true; text: string; count: number; firstLine: number; lastLine: number }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'not_unique'; count: number; lines: number[] };

/** Line numbers that an error lists; a hundred would not help more. */
const MOST_LINES_NAMED = 20;

interface LfText {
  text: string;
  /** Positions in `text` of line ends that are CRLF in the original, ascending. */
  crlf: number[];
}

function toLf(original: string): LfText {
  const crlf: number[] = [];
  let text = '';
  let from = 0;
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2)) {
    text += original.slice(from, at);
    crlf.push(text.length);
    from = at + 1;
  }
  return { text: text + original.slice(from), crlf };
}

/** How many entries of an ascending list are below `limit`. */
function countBelow(list: readonly number[], limit: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function positions(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The part of a match that really changes: equal beginnings and ends keep their bytes, line ends included. */
function changedPart(oldText: string, newText: string): { start: number; endOld: number; endNew: number } {
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start < shorter && oldText[start] === newText[start]) start += 1;
  let end = 0;
  while (end < shorter - start && oldText[oldText.length - 1 - end] === newText[newText.length - 1 - end]) {
    end += 1;
  }
  return { start, endOld: oldText.length - end, endNew: newText.length - end };
}

/**
 * Line ends of new text follow the text it stands in: the n-th takes the form of the n-th it replaces, further ones
 * that of the nearest line before, else after. `\r\n` that the new text spells out stays.
 */
function withLineEnds(newText: string, file: LfText, start: number, end: number): string {
  const isCrlf = (position: number) => file.crlf[countBelow(file.crlf, position)] === position;
  const replaced = positions(file.text.slice(start, end), '\n', 1).map((at) => isCrlf(start + at));
  const before = start > 0 ? file.text.lastIndexOf('\n', start - 1) : -1;
  const around = before >= 0 ? before : file.text.indexOf('\n', end);
  const style = replaced.at(-1) ?? (around >= 0 && isCrlf(around));
  let index = -1;
  return newText.replace(/\r?\n/g, (lineEnd) => {
    index += 1;
    return lineEnd === '\r\n' || (replaced[index] ?? style) ? '\r\n' : '\n';
  });
}

/** Replaces the one occurrence of `oldText`, or all of them. `oldText` must not be empty. */
export function editText(original: string, request: EditRequest): EditOutcome {
  const file = toLf(original);
  const wanted = toLf(request.oldText).text;
  // Occurrences that overlap are different places as well, so a single replacement counts them all.
  const found = positions(file.text, wanted, request.replaceAll ? wanted.length : 1);
  if (found.length === 0) return { ok: false, reason: 'not_found' };
  if (found.length > 1 && !request.replaceAll) {
    const lines = found.slice(0, MOST_LINES_NAMED).map((position) => lineAt(file.text, position));
    return { ok: false, reason: 'not_unique', count: found.length, lines };
  }

  const spellsOutCrlf = request.newText.includes('\r\n');
  const part = spellsOutCrlf
    ? { start: 0, endOld: wanted.length, endNew: request.newText.length }
    : changedPart(wanted, request.newText);
  const inserted = request.newText.slice(part.start, part.endNew);
  const toOriginal = (position: number) => position + countBelow(file.crlf, position);
  let text = '';
  let from = 0;
  for (const position of found) {
    const start = position + part.start;
    const end = position + part.endOld;
    text += original.slice(from, toOriginal(start)) + withLineEnds(inserted, file, start, end);
    from = toOriginal(end);
  }
  const first = found[0] ?? 0;
  const firstLine = lineAt(original, toOriginal(first + part.start));
  const added = positions(inserted, '\n', 1).length;
  return {
    ok: true,
    text: text + original.slice(from),
    count: found.length,
    firstLine,
    lastLine: firstLine + added,
  };
}

/** Why the text was not found, when a near miss shows it; a sentence for the model, or undefined. */
export function explainMiss(original: string, oldText: string): string | undefined {
  if (/^\s*\d+\t/.test(oldText)) {
    return 'old_string begins with a line number as Read prints it; leave out the number and the tab after it.';
  }
  const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
  const wanted = oldText.split(/\r?\n/).map(squeeze);
  while (wanted[0] === '') wanted.shift();
  const first = wanted[0];
  if (first === undefined) return undefined;
  const lines = original.split(/\r?\n/);
  const at = lines.findIndex(
    (line, index) =>
      squeeze(line) === first &&
      wanted.every((want, offset) => want === squeeze(lines[index + offset] ?? '')),
  );
  if (at < 0) return undefined;
  const tabs = /^\t/.test(lines[at] ?? '') ? ' (indented with tabs there)' : '';
  return `It stands at line ${at + 1} with different spaces or tabs${tabs}; copy it exactly.`;
}
