/** What is asked of a search engine. Every engine gives the same answer to the same request. */
export interface SearchRequest {
  /** Absolute path of a folder or a file. */
  path: string;
  /** A regular expression in ripgrep's syntax. */
  pattern: string;
  mode: SearchMode;
  ignoreCase: boolean;
  multiline: boolean;
  /** Lines of context before and after each match; used by `content` only. */
  before: number;
  after: number;
  /** Globs in the manner of `.gitignore`; a leading `!` excludes. Any of them must fit. */
  globs: readonly string[];
  /** A file type by ripgrep's names, e.g. `ts`, `py`. */
  type?: string;
  /** Most files (`files_with_matches`, `count`) or lines (`content`) wanted; the engine may stop after them. */
  limit: number;
}

export type SearchMode = 'content' | 'files_with_matches' | 'count';

export interface SearchLine {
  line: number;
  /** Without its line end. */
  text: string;
  isMatch: boolean;
}

/** A file with matches, its path relative to the folder searched, `/` between the parts. */
export interface SearchFile {
  path: string;
  /** Matching lines; with `multiline`, matches. 0 where it was not asked for. */
  count: number;
  /** Ascending; only for `content`. */
  lines: SearchLine[];
}

export interface SearchAnswer {
  /** Sorted by path, part by part. */
  files: SearchFile[];
  /** True when the engine stopped at `limit` and there may be more. */
  stopped: boolean;
  /** What could not be searched, a sentence each. */
  warnings: string[];
}

/** A way to search. Throws `invalid_input` for a pattern or type it cannot take, and when the time is up. */
export interface SearchEngine {
  readonly name: 'ripgrep' | 'built-in';
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer>;
}

/** A search that takes longer is ended with an error that says so. */
export const LONGEST_SEARCH_MS = 30_000;

/** Never searched: a version store's inside and installed packages. Asked for by `path`, they are. */
export const SKIPPED_FOLDERS: readonly string[] = ['.git', 'node_modules'];

/** Lines longer than this are cut around their match: minified files would fill the answer. */
export const LONGEST_SEARCH_LINE = 500;

/** Cuts a long line so that the part from `at` on can be seen. */
export function cutAround(text: string, at: number): string {
  if (text.length <= LONGEST_SEARCH_LINE) return text;
  const start = Math.max(0, Math.min(at - 100, text.length - LONGEST_SEARCH_LINE));
  const end = start + LONGEST_SEARCH_LINE;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''} [line cut, ${text.length} characters]`;
}

/** Orders paths as a walk does that goes through each folder by name. */
export function comparePaths(a: string, b: string): number {
  const left = a.replaceAll('/', '\0');
  const right = b.replaceAll('/', '\0');
  return left < right ? -1 : left > right ? 1 : 0;
}
