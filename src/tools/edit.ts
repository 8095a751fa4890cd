import { z } from 'zod';
import { WaymarkError } from '../errors.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';
import { type EditOutcome, editText, explainMiss } from '../workspace/edit-text.js';
import { encodeText, readKnownFile } from '../workspace/known-file.js';
import { cutLine, numberLines, splitLines } from '../workspace/numbered-lines.js';
import { type PatchHunk, structuredPatch } from '../workspace/patch.js';
import { contentMark } from '../workspace/read-log.js';
import { replaceFile } from '../workspace/replace-file.js';
import { decodeExactly } from '../workspace/text-file.js';

const editInputSchema = z.strictObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
type Input = z.output<typeof editInputSchema>;

export interface EditOutput {
  filePath: string;
  oldString: string;
  newString: string;
  originalFile: string;
  structuredPatch: PatchHunk[];
  userModified: false;
  replaceAll: boolean;
}

/** Lines shown around a change, and at most in all. */
const AROUND = 3;
const MOST_SHOWN = 30;

/** Replaces one exact text in a file that was read, or every occurrence of it. */
export const EditTool = defineTool({
  name: 'Edit',
  description:
    'Replaces old_string by new_string in a file that was read. old_string must be the exact text, without the line ' +
    'numbers, and occur once; give more lines around it, or replace_all.',
  inputSchema: editInputSchema,
  access: ({ file_path }) => ({ kind: 'edit', path: file_path }),
  isReadOnly: () => false,
  async call(input, { workspace }): Promise<ToolResult<EditOutput>> {
    const { old_string: oldString, new_string: newString, replace_all: replaceAll = false } = input;
    if (oldString === '') throw refuse('old_string is empty. To make or replace a whole file use Write.');
    if (oldString === newString)
      throw refuse('old_string and new_string are the same; nothing would change.');
    const path = await workspace.realPath(input.file_path);
    const before = await readKnownFile(workspace, path);
    if (!before) throw refuse(`${input.file_path} does not exist. Make it with Write.`);
    const original = decodeExactly(before.bytes);
    if (original === undefined)
      throw refuse(`${input.file_path} is not UTF-8 text; it cannot be edited as text.`);
    const outcome = editText(original, { oldText: oldString, newText: newString, replaceAll });
    if (!outcome.ok) throw refuse(missText(outcome, input, original));
    const bytes = encodeText(outcome.text);
    await replaceFile(path, before, bytes);
    workspace.readLog.record(path, contentMark(bytes));
    const data: EditOutput = {
      filePath: path,
      oldString,
      newString,
      originalFile: original,
      structuredPatch: await structuredPatch(original, outcome.text),
      userModified: false,
      replaceAll,
    };
    return { data, content: resultText(outcome, path, workspace) };
  },
});

function refuse(message: string): WaymarkError {
  return new WaymarkError('invalid_input', message);
}

function missText(
  outcome: Extract<EditOutcome, { ok: false }>,
  { file_path, old_string }: Input,
  original: string,
): string {
  if (outcome.reason === 'not_unique') {
    const lines = outcome.lines.join(', ') + (outcome.count > outcome.lines.length ? ', …' : '');
    return `old_string occurs ${outcome.count} times in ${file_path} (lines ${lines}); nothing was changed. Give more text around the one you mean, or set replace_all.`;
  }
  const why = explainMiss(original, old_string);
  return `old_string was not found in ${file_path}; nothing was changed.${why ? ` ${why}` : ' Read the file again.'}`;
}

function resultText(
  { text, count, firstLine, lastLine }: Extract<EditOutcome, { ok: true }>,
  path: string,
  workspace: ToolContext['workspace'],
): string {
  const places = count === 1 ? '1 replacement' : `${count} replacements`;
  const from = Math.max(1, firstLine - AROUND);
  const shown = splitLines(text)
    .slice(from - 1, Math.min(lastLine + AROUND, from + MOST_SHOWN - 1))
    .map((line) => cutLine(line));
  return `Edited ${workspace.display(path)}: ${places}, the first at line ${firstLine}.\n${numberLines(shown, from)}`;
}
