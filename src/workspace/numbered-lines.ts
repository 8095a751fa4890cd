/** Lines as Read and Edit show them: the number, a tab, the text. */
export function numberLines(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${firstNumber + index}\t${line}`).join('\n');
}

/** The lines of a text without their line ends; a final line end does not start another line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Lines longer than this are cut where they are shown, with a note of how long they were. */
export const LONGEST_LINE = 2000;

/** Cuts a line that is too long to show. */
export function cutLine(line: string, limit: number = LONGEST_LINE): string {
  return line.length <= limit ? line : `${line.slice(0, limit)}… [line cut, ${line.length} characters]`;
}
