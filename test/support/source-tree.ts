import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

export interface Import {
  /** A path inside the tree (`tasks/task.ts`), or a package or `node:` name as it is written. */
  target: string;
  /** Nothing of it is left at run time. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** Path inside the tree, with `/`. */
  path: string;
  text: string;
  /** The text with the insides of comments, strings and regular expressions blanked; same length, same lines. */
  code: string;
  imports: Import[];
}

/** Reads every `.ts` file below a folder. */
export function readTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => {
      const full = join(root, path);
      return sourceFile(relative(root, full).split(sep).join('/'), readFileSync(full, 'utf8'));
    });
}

export function sourceFile(path: string, text: string): SourceFile {
  const code = blanked(text);
  return { path, text, code, imports: importsOf(path, text, code) };
}

const STATEMENT =
  /^(import|export)\s(type\s)?(?:[^;'"`]*?\sfrom\s*)?'[^']*'|\b(typeof\s+)?import\(\s*'[^']*'\s*\)/gm;

function importsOf(path: string, text: string, code: string): Import[] {
  const found: Import[] = [];
  // Found in the blanked text, so that a comment or a string is no import; the name is read from the real one.
  for (const match of code.matchAll(STATEMENT)) {
    const written = text.slice(match.index, match.index + match[0].length);
    const name = /'([^']*)'/.exec(written)?.[1];
    if (name === undefined) continue;
    found.push({ target: resolveName(path, name), typeOnly: Boolean(match[2] ?? match[3]) });
  }
  return found;
}

function resolveName(from: string, name: string): string {
  if (!name.startsWith('.')) return name;
  return posix.join(posix.dirname(from), name).replace(/\.js$/, '.ts');
}

/** A slash after one of these begins a regular expression, after anything else it divides. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[\n]|=>|\breturn)\s*$/;

function blanked(text: string): string {
  let out = '';
  let at = 0;
  // Open braces inside each `${…}` we are in: what stands there is code, not text.
  const templates: number[] = [];
  const copyBlank = (end: number, keep: number) => {
    const piece = text.slice(at, end);
    const inner = piece.slice(keep, piece.length - keep).replace(/[^\n]/g, ' ');
    out += piece.length < 2 * keep ? piece : piece.slice(0, keep) + inner + piece.slice(piece.length - keep);
    at = end;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (two === '//') copyBlank(endOf(text, at, '\n'), 0);
    else if (two === '/*') copyBlank(endOf(text, at + 2, '*/') + 2, 0);
    else if (char === "'" || char === '"') copyBlank(closing(text, at + 1, char), 1);
    else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop();
      const end = closing(text, at + 1, '`');
      copyBlank(end, 1);
      if (text[end - 1] === '{') templates.push(0);
    } else if (char === '/' && BEFORE_REGEX.test(out.slice(-80))) copyBlank(closing(text, at + 1, '/'), 1);
    else {
      const depth = templates.at(-1);
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1;
      out += char;
      at += 1;
    }
  }
  return out;
}

function endOf(text: string, from: number, mark: string): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}

/**
 * Just after the closing mark, or after the `${` where code begins in a template. Escapes are skipped, and inside a
 * regular expression's class nothing closes.
 */
function closing(text: string, from: number, mark: string): number {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (mark === '`' && char === '$' && text[at + 1] === '{') return at + 2;
    else if (mark === '/' && char === '[') inClass = true;
    else if (mark === '/' && char === ']') inClass = false;
    else if (char === mark && !inClass) return at + 1;
  }
  return text.length;
}
