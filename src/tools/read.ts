import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { systemCode, WaymarkError } from '../errors.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';
import { LONGEST_LINE, numberLines } from '../workspace/numbered-lines.js';
import { readLines } from '../workspace/read-lines.js';
import { contentMark } from '../workspace/read-log.js';
import { describeBinary, detectEncoding, detectImage, type ImageType } from '../workspace/text-file.js';

const DEFAULT_LINES = 2000;
/** Characters of one answer. */
const MOST_CHARS = 40_000;
/** Bytes; the API takes 5 MB of base64. */
const LARGEST_IMAGE = 3_750_000;

const readInputSchema = z.strictObject({
  file_path: z.string(),
  offset: z.int().min(1).optional().describe('First line, from 1'),
  limit: z.int().min(1).optional().describe(`Most lines; default ${DEFAULT_LINES}`),
});
type Input = z.output<typeof readInputSchema>;

export type ReadOutput =
  | {
      type: 'text';
      file: { filePath: string; content: string; numLines: number; startLine: number; totalLines: number };
    }
  | { type: 'image'; file: { base64: string; type: ImageType; originalSize: number } };

/** A text file with line numbers, or an image. What was read may then be edited. */
export const ReadTool = defineTool({
  name: 'Read',
  description:
    'Reads a text file, each line as number, tab, text; or shows an image (png, jpeg, gif, webp). Paths may be ' +
    'relative to the working folder. Read before you Edit or Write an existing file.',
  inputSchema: readInputSchema,
  access: ({ file_path }) => ({ kind: 'read', path: file_path }),
  isReadOnly: () => true,
  // It cuts by whole lines itself and says how to read on.
  maxResultChars: 100_000,
  async call(input, context): Promise<ToolResult<ReadOutput>> {
    const path = await context.workspace.realPath(input.file_path);
    const start = await firstBytes(path, input.file_path, context);
    const image = detectImage(start.bytes);
    if (image) return readImage(path, image, start.size, context);
    const encoding = detectEncoding(start.bytes);
    if (encoding === 'binary') {
      const kind = describeBinary(start.bytes) ?? 'binary data';
      throw new WaymarkError(
        'invalid_input',
        `${input.file_path} is ${kind}, not text. Use a command that understands it.`,
      );
    }
    return readText(path, encoding, input, context);
  },
});

async function firstBytes(
  path: string,
  asked: string,
  { workspace }: ToolContext,
): Promise<{ bytes: Buffer; size: number }> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // Without O_NONBLOCK opening a named pipe would wait for a writer for ever.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new WaymarkError(
      'invalid_input',
      `${asked} does not exist. The working folder is ${workspace.cwd}.`,
    );
  }
  try {
    const stats = await handle.stat();
    if (stats.isDirectory())
      throw new WaymarkError('invalid_input', `${asked} is a folder; list it with Glob.`);
    if (!stats.isFile()) {
      throw new WaymarkError('invalid_input', `${asked} is not a regular file (a device, pipe or socket).`);
    }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8192), 0, 8192, 0);
    return { bytes: buffer.subarray(0, bytesRead), size: stats.size };
  } finally {
    await handle.close();
  }
}

async function readText(
  path: string,
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be',
  { file_path, offset = 1, limit = DEFAULT_LINES }: Input,
  { workspace, signal }: ToolContext,
): Promise<ToolResult<ReadOutput>> {
  const found = await readLines(path, {
    encoding,
    offset,
    limit,
    maxChars: MOST_CHARS,
    maxLineChars: LONGEST_LINE,
    signal,
  });
  workspace.readLog.record(path, found.mark);
  const { lines, totalLines } = found;
  const file = {
    filePath: path,
    content: lines.join('\n'),
    numLines: lines.length,
    startLine: offset,
    totalLines,
  };
  const notes: string[] = [];
  const last = offset + lines.length - 1;
  if (totalLines === 0) notes.push('[the file is empty]');
  else if (lines.length === 0) notes.push(`[the file has ${totalLines} lines only]`);
  else if (last < totalLines)
    notes.push(`[lines ${offset}–${last} of ${totalLines}; go on with offset ${last + 1}]`);
  if (found.damaged)
    notes.push(`[some bytes of ${file_path} are no valid ${encoding} and are shown as U+FFFD]`);
  return {
    data: { type: 'text', file },
    content: [numberLines(lines, offset), ...notes].filter(Boolean).join('\n'),
  };
}

async function readImage(
  path: string,
  type: ImageType,
  size: number,
  { workspace }: ToolContext,
): Promise<ToolResult<ReadOutput>> {
  if (size > LARGEST_IMAGE) {
    throw new WaymarkError(
      'invalid_input',
      `${workspace.display(path)} is an image of ${size} bytes; at most ${LARGEST_IMAGE} can be shown. Make a smaller copy first.`,
    );
  }
  const handle = await open(path, constants.O_RDONLY);
  try {
    const bytes = await handle.readFile();
    workspace.readLog.record(path, contentMark(bytes));
    const base64 = bytes.toString('base64');
    return {
      data: { type: 'image', file: { base64, type, originalSize: size } },
      content: [{ type: 'image', source: { type: 'base64', media_type: type, data: base64 } }],
    };
  } finally {
    await handle.close();
  }
}
