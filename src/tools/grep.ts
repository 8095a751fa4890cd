import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode, WaymarkError } from '../errors.js';
import { defineTool, type ToolContext } from '../tool.js';
import { chooseEngine } from '../workspace/search/engines.js';
import type { SearchAnswer, SearchFile, SearchMode } from '../workspace/search/search.js';

/** Entries in one answer unless `head_limit` says otherwise: lines of content, or files. */
const DEFAULT_LIMIT = 250;
const MOST_ENTRIES = 10_000;

const count = z.int().min(0).max(100);
const grepInputSchema = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression, ripgrep syntax'),
  path: z.string().optional().describe('File or folder; default the working folder'),
  glob: z.string().optional().describe('Such as *.{ts,tsx}'),
  type: z.string().optional().describe('File type: ts, py, go …'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Default files_with_matches'),
  '-A': count.optional(),
  '-B': count.optional(),
  '-C': count.optional(),
  '-n': z.boolean().optional(),
  '-i': z.boolean().optional(),
  head_limit: z.int().min(0).optional().describe(`Default ${DEFAULT_LIMIT}`),
  offset: z.int().min(0).optional(),
  multiline: z.boolean().optional(),
});
type Input = z.output<typeof grepInputSchema>;

export interface GrepOutput {
  mode: SearchMode;
  numFiles: number;
  filenames: string[];
  content?: string;
  numLines?: number;
  numMatches?: number;
  appliedLimit?: number;
  appliedOffset?: number;
}

/** Searches the text of files by regular expression. */
export const GrepTool = defineTool({
  name: 'Grep',
  description:
    'Searches file contents by regular expression. Leaves out what .gitignore names, binary files, hidden .git and ' +
    'node_modules. Use it instead of grep in Bash.',
  inputSchema: grepInputSchema,
  access: ({ path }) => ({ kind: 'read', path: path ?? '.' }),
  isReadOnly: () => true,
  async call(input, context) {
    const { workspace, env, signal } = context;
    const mode = input.output_mode ?? 'files_with_matches';
    if (!input.multiline && hasLineFeed(input.pattern)) {
      throw new WaymarkError(
        'invalid_input',
        'The pattern contains a line feed, but lines are searched one by one. Set multiline: true.',
      );
    }
    const path = await workspace.realPath(input.path ?? '.');
    const isFile = await isExistingFile(path, input.path ?? '.');
    const limit = input.head_limit || (input.head_limit === 0 ? MOST_ENTRIES : DEFAULT_LIMIT);
    const offset = input.offset ?? 0;
    const engine = await chooseEngine(env);
    const answer = await engine.search(
      {
        path,
        pattern: input.pattern,
        mode,
        ignoreCase: input['-i'] === true,
        multiline: input.multiline === true,
        before: input['-B'] ?? input['-C'] ?? 0,
        after: input['-A'] ?? input['-C'] ?? 0,
        globs: input.glob === undefined ? [] : splitGlobs(input.glob),
        ...(input.type === undefined ? {} : { type: input.type }),
        limit: offset + limit + 1,
      },
      signal,
    );
    return present(answer, { mode, offset, limit, input, path, isFile, workspace });
  },
});

/** Whether a line feed, spelled out or as `\n`, stands in the pattern; `\\n` is a backslash and an n. */
function hasLineFeed(pattern: string): boolean {
  return pattern.includes('\n') || /(?<!\\)(?:\\\\)*\\n/.test(pattern);
}

interface View {
  mode: SearchMode;
  offset: number;
  limit: number;
  input: Input;
  path: string;
  isFile: boolean;
  workspace: ToolContext['workspace'];
}

function present(answer: SearchAnswer, view: View): { data: GrepOutput; content: string } {
  const { mode, offset, limit } = view;
  const rows = mode === 'content' ? contentRows(answer.files, view) : fileRows(answer.files, view);
  const shown = rows.slice(offset, offset + limit);
  const isMore = rows.length > offset + limit || answer.stopped;
  const matches = answer.files.reduce((sum, file) => sum + file.count, 0);
  const text = shown.join('\n');
  const data: GrepOutput = {
    mode,
    numFiles: answer.files.length,
    filenames: mode === 'files_with_matches' ? shown : [],
    ...(mode === 'content' ? { content: text, numLines: shown.length } : {}),
    ...(mode === 'count' ? { content: text, numMatches: matches } : {}),
    ...(isMore ? { appliedLimit: limit } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
  };
  const notes = [
    ...(rows.length === 0
      ? ['No matches.']
      : shown.length === 0
        ? [`No more than ${rows.length} results.`]
        : []),
    ...(isMore && shown.length > 0 ? [`[cut at ${limit}; go on with offset ${offset + shown.length}]`] : []),
    ...(answer.warnings.length > 0 ? answer.warnings.slice(0, 5).map((warning) => `[${warning}]`) : []),
  ];
  return { data, content: [text, ...notes].filter(Boolean).join('\n') };
}

function nameOf(file: SearchFile, { path, isFile, workspace }: View): string {
  return workspace.display(isFile ? path : join(path, file.path));
}

function fileRows(files: readonly SearchFile[], view: View): string[] {
  return files.map((file) => {
    const name = nameOf(file, view);
    return view.mode === 'count' ? `${name}:${file.count}` : name;
  });
}

function contentRows(files: readonly SearchFile[], view: View): string[] {
  const isNumbered = view.input['-n'] !== false;
  return files.flatMap((file) => {
    const name = nameOf(file, view);
    let previous: number | undefined;
    return file.lines.flatMap(({ line, text, isMatch }) => {
      const mark = isMatch ? ':' : '-';
      const row = `${name}${mark}${isNumbered ? `${line}${mark}` : ''}${text}`;
      const isGap = previous !== undefined && line > previous + 1 && hasContext(view.input);
      previous = line;
      return isGap ? ['--', row] : [row];
    });
  });
}

function hasContext(input: Input): boolean {
  return Boolean(input['-A'] || input['-B'] || input['-C']);
}

/** `*.ts *.tsx` and `*.ts,*.tsx` are two globs; commas inside braces belong to one. */
function splitGlobs(text: string): string[] {
  return text.split(/[\s,]+(?![^{]*\})/).filter(Boolean);
}

async function isExistingFile(path: string, asked: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new WaymarkError('invalid_input', `${asked} does not exist.`);
  }
}
