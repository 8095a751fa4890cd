import { z } from 'zod';
import { defineTool } from '../tool.js';
import { encodeText, readKnownFile } from '../workspace/known-file.js';
import { splitLines } from '../workspace/numbered-lines.js';
import { type PatchHunk, structuredPatch } from '../workspace/patch.js';
import { contentMark } from '../workspace/read-log.js';
import { createFile, replaceFile } from '../workspace/replace-file.js';
import { decodeExactly } from '../workspace/text-file.js';

const writeInputSchema = z.strictObject({ file_path: z.string(), content: z.string() });

export interface WriteOutput {
  type: 'create' | 'update';
  filePath: string;
  content: string;
  structuredPatch: PatchHunk[];
  /** Null for a new file, and for one that held no text. */
  originalFile: string | null;
}

/** Writes a whole file, new or one that was read as it is now. */
export const WriteTool = defineTool({
  name: 'Write',
  description:
    'Writes a whole file; missing folders are made. An existing file must have been read as it is now. For a change of ' +
    'a part use Edit.',
  inputSchema: writeInputSchema,
  access: ({ file_path }) => ({ kind: 'edit', path: file_path }),
  isReadOnly: () => false,
  async call({ file_path, content }, { workspace }) {
    const path = await workspace.realPath(file_path);
    const bytes = encodeText(content);
    const before = await readKnownFile(workspace, path);
    if (before) await replaceFile(path, before, bytes);
    else await createFile(path, bytes);
    workspace.readLog.record(path, contentMark(bytes));
    const original = before ? (decodeExactly(before.bytes) ?? null) : null;
    const data: WriteOutput = {
      type: before ? 'update' : 'create',
      filePath: path,
      content,
      structuredPatch: original === null ? [] : await structuredPatch(original, content),
      originalFile: original,
    };
    const lines = splitLines(content).length;
    const size = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
    return { data, content: `${before ? 'Replaced' : 'Created'} ${workspace.display(path)} (${size}).` };
  },
});
