import { z } from 'zod';
import { cutAround, type SearchFile, type SearchRequest, SKIPPED_FOLDERS } from './search.js';

/** The command line for a request; ripgrep runs in the folder that is searched, so globs are relative to it. */
export function ripgrepArguments(request: SearchRequest, target: string): string[] {
  const output = {
    // Sorting makes ripgrep work in one thread, so it is asked for only where the output may be stopped half way.
    content: ['--json', '--sort', 'path', '-B', String(request.before), '-A', String(request.after)],
    files_with_matches: ['--files-with-matches', '--null'],
    count: ['--count', '--with-filename', '--null'],
  }[request.mode];
  return [
    '--no-config',
    '--color=never',
    '--hidden',
    // `.gitignore` counts also where no repository was made yet; the user's private ignore files never do.
    '--no-require-git',
    '--no-ignore-global',
    '--no-ignore-exclude',
    '--no-ignore-dot',
    // `$` stands before CRLF as well.
    '--crlf',
    '--engine=auto',
    ...output,
    ...(request.ignoreCase ? ['--ignore-case'] : []),
    ...(request.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(request.type === undefined ? [] : ['--type', request.type]),
    ...request.globs.flatMap((glob) => ['--glob', glob]),
    ...SKIPPED_FOLDERS.flatMap((folder) => ['--glob', `!${folder}`]),
    '-e',
    request.pattern,
    '--',
    target,
  ];
}

const textSchema = z.object({ text: z.string().optional(), bytes: z.string().optional() });
const recordSchema = z.object({
  type: z.string(),
  data: z.object({
    path: textSchema.nullish(),
    lines: textSchema.optional(),
    line_number: z.number().nullish(),
    submatches: z.array(z.object({ start: z.number() })).optional(),
  }),
});

function plain(value: z.output<typeof textSchema> | null | undefined): string {
  if (value?.text !== undefined) return value.text;
  return value?.bytes === undefined ? '' : Buffer.from(value.bytes, 'base64').toString();
}

function pathOf(text: string): string {
  const path = process.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  return path.startsWith('./') ? path.slice(2) : path;
}

/** A record longer than this is a line no one can read; it is left out, so that memory stays bounded. */
const LONGEST_RECORD = 16 * 1024 * 1024;

/** Turns ripgrep's output into files, piece by piece. */
export class RipgrepLines {
  readonly files: SearchFile[] = [];
  readonly #request: SearchRequest;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #lines = 0;

  constructor(request: SearchRequest) {
    this.#request = request;
  }

  /** Takes a piece of output; true when more than `limit` results are there and the rest is not needed. */
  add(chunk: Buffer): boolean {
    // `--files-with-matches --null` ends names with NUL; the other forms end records with a line feed.
    const end = this.#request.mode === 'files_with_matches' ? 0 : 10;
    let from = 0;
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#record(Buffer.concat(this.#pending));
      this.#pending = [];
      this.#pendingBytes = 0;
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    // Names without content come in no order, so all are needed to sort them.
    return this.#request.mode === 'content' && this.#lines > this.#request.limit;
  }

  #keep(bytes: Buffer): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > LONGEST_RECORD) this.#pending = [];
    else this.#pending.push(bytes);
  }

  #record(bytes: Buffer): void {
    if (bytes.length === 0 || this.#pendingBytes > LONGEST_RECORD) return;
    const text = bytes.toString();
    if (this.#request.mode === 'files_with_matches') {
      this.files.push({ path: pathOf(text), count: 0, lines: [] });
    } else if (this.#request.mode === 'count') {
      const split = text.lastIndexOf('\0');
      this.files.push({
        path: pathOf(text.slice(0, split)),
        count: Number(text.slice(split + 1)),
        lines: [],
      });
    } else {
      this.#json(text);
    }
  }

  #json(text: string): void {
    const record = recordSchema.parse(JSON.parse(text));
    const { type, data } = record;
    if (type === 'begin') this.files.push({ path: pathOf(plain(data.path)), count: 0, lines: [] });
    const file = this.files.at(-1);
    if (file === undefined || (type !== 'match' && type !== 'context')) return;
    const isMatch = type === 'match';
    // A match over several lines comes as one record.
    const content = plain(data.lines)
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    if (isMatch) file.count += this.#request.multiline ? (data.submatches?.length ?? 1) : 1;
    const start = isMatch ? (data.submatches?.[0]?.start ?? 0) : 0;
    content.forEach((line, index) => {
      file.lines.push({
        line: (data.line_number ?? 1) + index,
        text: cutAround(line, index === 0 ? start : 0),
        isMatch,
      });
    });
    this.#lines += content.length;
  }
}
