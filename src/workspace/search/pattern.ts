import { WaymarkError } from '../../errors.js';

/**
 * Translates a regular expression from ripgrep's syntax (Rust's) to JavaScript's with the `v` flag. Classes are the
 * Unicode ones, as in ripgrep. What has no counterpart is refused by name: a pattern that silently means something
 * else would be worse than none.
 */
export function translatePattern(
  pattern: string,
  options: { ignoreCase: boolean; multiline: boolean },
): RegExp {
  const translation = new Translation(pattern, options.multiline);
  const source = translation.run();
  const flags = `gv${options.ignoreCase || translation.ignoreCase ? 'i' : ''}m${
    options.multiline || translation.dotAll ? 's' : ''
  }`;
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new WaymarkError(
      'invalid_input',
      `The pattern ${pattern} is not a regular expression that the built-in search understands: ${
        error instanceof Error ? error.message : String(error)
      }. Literal brackets and braces need a backslash.`,
      { cause: error },
    );
  }
}

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}';
const EDGES: Readonly<Record<string, string>> = {
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  '<': `(?<![${WORD}])(?=[${WORD}])`,
  '>': `(?<=[${WORD}])(?![${WORD}])`,
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
};
const CLASSES: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: '\\s',
  S: '\\S',
};
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '\\x21-\\x7E',
  lower: 'a-z',
  print: '\\x20-\\x7E',
  punct: '\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E',
  space: '\\t\\n\\v\\f\\r\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A character that means itself, in or out of a class. */
function literal(char: string): string {
  return /[\^$\\.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char)
    ? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`
    : char;
}

class Translation {
  ignoreCase = false;
  dotAll = false;
  readonly #pattern: string;
  readonly #multiline: boolean;
  #at = 0;

  constructor(pattern: string, multiline: boolean) {
    this.#pattern = pattern;
    this.#multiline = multiline;
  }

  run(): string {
    let out = '';
    while (this.#at < this.#pattern.length) {
      const char = this.#char();
      if (char === '\\') out += this.#escape();
      else if (char === '[') out += this.#set();
      else if (char === '(') out += this.#group();
      else if (char === ']') out += this.#take(1, '\\]');
      else if (char === '}') out += this.#take(1, '\\}');
      else if (char === '{') out += this.#repetition();
      else if (char === '/') out += this.#take(1, '\\/');
      else if (char === '\n') this.#lineFeed();
      else out += this.#take(char.length, char);
      if (char === '\n') out += this.#take(1, '\\n');
    }
    return out;
  }

  #char(): string {
    return String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
  }

  #take(length: number, out: string): string {
    this.#at += length;
    return out;
  }

  #refuse(what: string): never {
    throw new WaymarkError(
      'invalid_input',
      `The pattern ${this.#pattern} uses ${what}, which the built-in search does not have. Write it another way, or install ripgrep (rg).`,
    );
  }

  #lineFeed(): void {
    if (this.#multiline) return;
    throw new WaymarkError(
      'invalid_input',
      'The pattern contains a line feed, but lines are searched one by one. Set multiline: true.',
    );
  }

  #repetition(): string {
    const counts = /^\{\d+(?:,\d*)?\}/.exec(this.#pattern.slice(this.#at));
    // Anything else after `{` is an error in ripgrep too; JavaScript reports it.
    return counts ? this.#take(counts[0].length, counts[0]) : this.#take(1, '{');
  }

  #group(): string {
    const rest = this.#pattern.slice(this.#at);
    const named = /^\(\?P?<(?![=!])/.exec(rest);
    if (named) return this.#take(named[0].length, '(?<');
    const plain = /^\((?!\?)|^\(\?(?::|=|!|<=|<!)/.exec(rest);
    if (plain) return this.#take(plain[0].length, plain[0]);
    const flags = /^\(\?([a-zA-Z-]+)([:)])/.exec(rest);
    if (!flags) return this.#refuse(`the group ${rest.slice(0, 3)}`);
    const names = flags[1] ?? '';
    if (flags[2] === ')' && this.#at === 0 && /^[imsu]+$/.test(names)) {
      this.ignoreCase ||= names.includes('i');
      this.dotAll ||= names.includes('s');
      return this.#take(flags[0].length, '');
    }
    return this.#refuse(`the flags ${flags[0]} inside the pattern (only (?i), (?s), (?m) at its start work)`);
  }

  /** An escape outside of a class. */
  #escape(): string {
    const next = this.#pattern[this.#at + 1];
    const edge = next === undefined ? undefined : EDGES[next];
    if (next === 'b' && this.#pattern[this.#at + 2] === '{') return this.#refuse('\\b{…}');
    if (edge !== undefined) return this.#take(2, edge);
    if (next !== undefined && /[1-9]/.test(next)) return this.#take(2, `\\${next}(?:)`);
    if (next === 'k' && this.#pattern[this.#at + 2] === '<') return this.#take(2, '\\k');
    return this.#character();
  }

  /** An escape that stands for a character or a class; the same in and out of a set. */
  #character(): string {
    const rest = this.#pattern.slice(this.#at);
    const next = this.#pattern.slice(this.#at + 1).match(/^./su)?.[0];
    if (next === undefined) return this.#take(1, '\\');
    const named = CLASSES[next];
    if (named !== undefined) return this.#take(2, named);
    const property = /^\\[pP](?:\{\^?[^}]*\}|[A-Z])/.exec(rest);
    if (property) return this.#property(property[0]);
    const code = /^\\(?:x([0-9A-Fa-f]{2})|[xuU]\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/.exec(
      rest,
    );
    if (code) return this.#take(code[0].length, `\\u{${code[1] ?? code[2] ?? code[3] ?? code[4]}}`);
    if (next === 'n') this.#lineFeed();
    if (/[nrtfv]/.test(next)) return this.#take(2, `\\${next}`);
    if (next === 'a') return this.#take(2, '\\x07');
    if (/[A-Za-z0-9]/.test(next)) return this.#refuse(`the escape \\${next}`);
    return this.#take(1 + next.length, literal(next));
  }

  #property(text: string): string {
    const inverted = text[1] === 'P';
    const name = text.replace(/^\\[pP]\{?\^?|\}$/g, '');
    const negated = inverted !== text.includes('{^');
    // Scripts need their key in JavaScript; categories and binary properties do not.
    for (const form of [name, `Script=${name}`]) {
      try {
        RegExp(`\\p{${form}}`, 'v');
        return this.#take(text.length, `\\${negated ? 'P' : 'p'}{${form}}`);
      } catch {
        // Not a name of this kind; the next form, and then the refusal below.
      }
    }
    return this.#refuse(`the property ${text}`);
  }

  /** `[…]`, with ripgrep's nested sets, POSIX classes and `&&`, `--`. */
  #set(): string {
    this.#at += 1;
    const negated = this.#pattern[this.#at] === '^';
    if (negated) this.#at += 1;
    const operands: string[] = [''];
    const add = (text: string) => operands.push((operands.pop() ?? '') + text);
    let operator = '';
    let first = true;
    for (;;) {
      const rest = this.#pattern.slice(this.#at);
      if (rest === '') return this.#take(0, '['); // unclosed: JavaScript reports it
      const posix = /^\[:(\^?)([a-z]+):\]/.exec(rest);
      if (rest[0] === ']' && !first) break;
      first = false;
      if (posix && POSIX[posix[2] ?? ''] !== undefined) {
        add(this.#take(posix[0].length, `[${posix[1]}${POSIX[posix[2] ?? '']}]`));
      } else if (rest[0] === '[') add(this.#set());
      else if (rest[0] === '\\') add(this.#character());
      else if (rest.startsWith('&&') || rest.startsWith('--')) {
        if (operator !== '' && operator !== rest.slice(0, 2))
          this.#refuse('two different set operators in one class');
        operator = rest.slice(0, 2);
        operands.push(this.#take(2, ''));
      } else if (rest.startsWith('~~')) this.#refuse('the set operator ~~');
      else if (rest[0] === '-' && this.#isRange(rest, operands.at(-1) ?? '')) add(this.#take(1, '-'));
      else {
        const char = this.#char();
        if (char === '\n') this.#lineFeed();
        add(this.#take(char.length, literal(char)));
      }
    }
    this.#at += 1;
    const inside =
      operator === '' ? (operands[0] ?? '') : operands.map((operand) => `[${operand}]`).join(operator);
    return `[${negated ? '^' : ''}${inside}]`;
  }

  /** Whether a `-` stands between two single characters; beside a class or at an edge it means itself. */
  #isRange(rest: string, before: string): boolean {
    if (before === '' || before.endsWith('-') || /(?:\\[sSdDwW]|\\[pP]\{[^}]*\}|\])$/.test(before))
      return false;
    return !/^-(?:\]|\[|\\[wWdDsSpP])/.test(rest);
  }
}
