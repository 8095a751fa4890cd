import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode, WaymarkError } from '../../errors.js';
import { detectEncoding } from '../text-file.js';
import { FILE_TYPES } from './file-types.js';
import { decide, type PathRule, parseIgnoreFile, parseRule } from './ignore-rules.js';
import { translatePattern } from './pattern.js';
import {
  comparePaths,
  cutAround,
  type SearchAnswer,
  type SearchFile,
  type SearchLine,
  type SearchRequest,
  SKIPPED_FOLDERS,
} from './search.js';

/** Files above this size are left out by the built-in search, with a warning. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** Ignore rules of one folder, and where that folder stands. */
interface RuleSet {
  folder: string;
  rules: PathRule[];
}

interface Walk {
  request: SearchRequest;
  root: string;
  regex: RegExp;
  globs: PathRule[];
  types: PathRule[];
  answer: SearchAnswer;
  lines: number;
}

/** The built-in search, synchronously: it runs in a worker thread, which can be ended in the middle of a match. */
export function scan(request: SearchRequest): SearchAnswer {
  const stats = statSync(request.path);
  const isFile = stats.isFile();
  const walk: Walk = {
    request,
    root: isFile ? dirname(request.path) : request.path,
    regex: translatePattern(request.pattern, request),
    globs: request.globs.flatMap((glob) => parseRule(glob) ?? []),
    types: typeRules(request.type),
    answer: { files: [], stopped: false, warnings: [] },
    lines: 0,
  };
  if (isFile) searchFile(walk, basename(request.path));
  else searchFolder(walk, '', rulesAbove(request.path));
  walk.answer.files.sort((a, b) => comparePaths(a.path, b.path));
  return walk.answer;
}

function typeRules(type: string | undefined): PathRule[] {
  if (type === undefined) return [];
  const globs = FILE_TYPES[type];
  if (globs === undefined) {
    throw new WaymarkError(
      'invalid_input',
      `The search could not be made: unrecognized file type: ${type}. Known: ${Object.keys(FILE_TYPES).join(', ')}. Use glob for others.`,
    );
  }
  return globs.flatMap((glob) => parseRule(glob) ?? []);
}

function ignoreFile(folder: string): RuleSet[] {
  try {
    return [{ folder, rules: parseIgnoreFile(readFileSync(join(folder, '.gitignore'), 'utf8')) }];
  } catch (error) {
    const code = systemCode(error);
    // Most folders have none; one that cannot be read ignores nothing.
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The ignore files of the folders above, up to the top of the repository. */
function rulesAbove(folder: string): RuleSet[] {
  if (exists(join(folder, '.git'))) return [];
  const parent = dirname(folder);
  return parent === folder ? [] : [...rulesAbove(parent), ...ignoreFile(parent)];
}

function isIgnored(sets: readonly RuleSet[], path: string, isFolder: boolean): boolean {
  for (let index = sets.length - 1; index >= 0; index -= 1) {
    const set = sets[index];
    if (set === undefined) continue;
    const relative = path.slice(set.folder.endsWith('/') ? set.folder.length : set.folder.length + 1);
    const verdict = decide(set.rules, relative, isFolder);
    if (verdict !== undefined) return verdict === 'ignore';
  }
  return false;
}

/** Like ripgrep's overrides: the last glob that fits decides; with an including glob, files that fit none are out. */
function globsAllow(globs: readonly PathRule[], path: string, isFolder: boolean): boolean | undefined {
  const verdict = decide(globs, path, isFolder);
  if (verdict !== undefined) return verdict === 'ignore';
  return !isFolder && globs.some((glob) => !glob.negated) ? false : undefined;
}

function searchFolder(walk: Walk, relative: string, above: readonly RuleSet[]): void {
  const folder = relative === '' ? walk.root : join(walk.root, relative);
  const sets = [...above, ...ignoreFile(folder)];
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(folder);
  } catch (error) {
    walk.answer.warnings.push(`${folder} could not be read: ${systemCode(error) ?? 'unknown error'}`);
    return;
  }
  for (const entry of entries) {
    if (walk.answer.stopped) return;
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
    const isFolder = entry.isDirectory();
    if (SKIPPED_FOLDERS.includes(entry.name) || (!isFolder && !entry.isFile())) continue;
    const allowed = globsAllow(walk.globs, path, isFolder);
    // As in ripgrep, a glob that names a file wins over an ignore file.
    if (allowed === false || (allowed === undefined && isIgnored(sets, join(walk.root, path), isFolder)))
      continue;
    if (isFolder) searchFolder(walk, path, sets);
    else if (walk.types.length === 0 || walk.types.some((rule) => rule.fits(path))) searchFile(walk, path);
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => comparePaths(a.name, b.name));
}

/** The text to search, or undefined for a file that is not text. */
function readText(walk: Walk, path: string): string | undefined {
  const full = join(walk.root, path);
  try {
    if (statSync(full).size > LARGEST_FILE) {
      walk.answer.warnings.push(`${path} is larger than ${LARGEST_FILE} bytes and was left out.`);
      return undefined;
    }
    const bytes = readFileSync(full);
    const encoding = detectEncoding(bytes.subarray(0, 65536));
    if (encoding === 'binary' || (encoding === 'utf-8' && bytes.includes(0))) return undefined;
    return new TextDecoder(encoding).decode(bytes);
  } catch (error) {
    walk.answer.warnings.push(`${path} could not be read: ${systemCode(error) ?? 'unknown error'}`);
    return undefined;
  }
}

function searchFile(walk: Walk, path: string): void {
  const text = readText(walk, path);
  if (text === undefined) return;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const { multiline, mode } = walk.request;
  const found = multiline
    ? matchesAcrossLines(walk.regex, text, mode)
    : matchesByLine(walk.regex, lines, mode);
  if (found.count === 0) return;
  const file: SearchFile = {
    path,
    count: mode === 'files_with_matches' ? 0 : found.count,
    lines: mode === 'content' ? withContext(lines, found.at, walk.request) : [],
  };
  walk.answer.files.push(file);
  walk.lines += file.lines.length;
  if (mode === 'content' && walk.lines > walk.request.limit) walk.answer.stopped = true;
}

/** Where matches begin: line index → column. Lines a match goes on over have column 0. */
type Places = Map<number, number>;

function matchesByLine(regex: RegExp, lines: readonly string[], mode: string): { count: number; at: Places } {
  const at: Places = new Map();
  for (const [index, line] of lines.entries()) {
    regex.lastIndex = 0;
    const match = regex.exec(line);
    if (match === null) continue;
    at.set(index, match.index);
    if (mode === 'files_with_matches') break;
  }
  return { count: at.size, at };
}

function matchesAcrossLines(regex: RegExp, original: string, mode: string): { count: number; at: Places } {
  const text = original.replaceAll('\r\n', '\n');
  const at: Places = new Map();
  let count = 0;
  let line = 0;
  let counted = 0;
  let lineStart = 0;
  const moveTo = (position: number) => {
    for (
      let next = text.indexOf('\n', counted);
      next >= 0 && next < position;
      next = text.indexOf('\n', counted)
    ) {
      line += 1;
      counted = next + 1;
      lineStart = counted;
    }
  };
  for (const match of text.matchAll(regex)) {
    // The empty place after the last line end belongs to no line.
    if (match.index === text.length && text.endsWith('\n')) break;
    count += 1;
    moveTo(match.index);
    if (!at.has(line)) at.set(line, match.index - lineStart);
    const first = line;
    moveTo(match.index + Math.max(match[0].replace(/\n$/, '').length, 0));
    for (let index = first + 1; index <= line; index += 1) if (!at.has(index)) at.set(index, 0);
    if (mode === 'files_with_matches') break;
  }
  return { count, at };
}

function withContext(lines: readonly string[], at: Places, request: SearchRequest): SearchLine[] {
  const shown = new Set<number>();
  for (const index of at.keys()) {
    for (let line = index - request.before; line <= index + request.after; line += 1) {
      if (line >= 0 && line < lines.length) shown.add(line);
    }
  }
  return [...shown]
    .sort((a, b) => a - b)
    .map((index) => ({
      line: index + 1,
      text: cutAround(lines[index] ?? '', at.get(index) ?? 0),
      isMatch: at.has(index),
    }));
}
