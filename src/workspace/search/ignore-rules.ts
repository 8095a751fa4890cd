/** One line of a `.gitignore`, or one `--glob`, as a test of a path. */
export interface PathRule {
  /** True for a line that begins with `!`. */
  negated: boolean;
  /** True for a pattern that ends in `/`: it fits folders only. */
  foldersOnly: boolean;
  /** Tests a path relative to the folder the rule belongs to, `/` between the parts. */
  fits(relativePath: string): boolean;
}

function closing(pattern: string, from: number): number {
  // `]` right after `[` or `[!` belongs to the set.
  const start = /[!^]/.test(pattern[from + 1] ?? '') ? from + 2 : from + 1;
  return pattern.indexOf(']', start + 1);
}

/** A glob as a regular expression source: `*`, `?`, `[…]`, `{a,b}`, and `**` for any depth. */
export function globSource(glob: string): string {
  let source = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob.charAt(at);
    if (glob.startsWith('**/', at) && (at === 0 || glob[at - 1] === '/')) {
      source += '(?:.*/)?';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '[' && closing(glob, at) > 0) {
      const end = closing(glob, at);
      const inside = glob.slice(at + 1, end);
      const set = inside.replace(/^[!^]/, '').replace(/[\\\]^&~|[(){}/]/g, '\\$&');
      source += /^[!^]/.test(inside) ? `[^/${set}]` : `[${set}]`;
      at = end;
    } else if (char === '{') {
      braces += 1;
      source += '(?:';
    } else if (char === '}' && braces > 0) {
      braces -= 1;
      source += ')';
    } else if (char === ',' && braces > 0) source += '|';
    else {
      if (char === '\\' && at + 1 < glob.length) at += 1;
      source += glob.charAt(at).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    }
  }
  return source + ')'.repeat(braces);
}

/** Parses one pattern line; undefined for a comment, an empty line, or a pattern that means nothing. */
export function parseRule(line: string): PathRule | undefined {
  let pattern = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  // A slash before the end ties the pattern to this folder; without one it fits at any depth.
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  if (pattern === '') return undefined;
  let regex: RegExp;
  try {
    regex = new RegExp(`^${anchored ? '' : '(?:.*/)?'}${globSource(pattern)}$`, 'su');
  } catch {
    // A set such as `[z-a]`, which git takes as fitting nothing.
    return undefined;
  }
  return { negated, foldersOnly, fits: (path) => regex.test(path) };
}

/** The rules of a `.gitignore` text. */
export function parseIgnoreFile(text: string): PathRule[] {
  return text.split('\n').flatMap((line) => parseRule(line) ?? []);
}

/** What the rules say of a path; the last one that fits decides. Undefined when none does. */
export function decide(
  rules: readonly PathRule[],
  path: string,
  isFolder: boolean,
): 'ignore' | 'keep' | undefined {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index];
    if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
    if (rule.fits(path)) return rule.negated ? 'keep' : 'ignore';
  }
  return undefined;
}
