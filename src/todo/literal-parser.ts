/*
 * Why a parser of our own: no kept package reads Python literals. JSON5 knows single quotes and trailing commas but
 * not True, False, None or tuples; jsonrepair and the "partial JSON" packages complete a text that was cut off, and
 * a cut-off plan would then lose its last items without a word. This parser is strict: the whole text is one literal
 * or it is refused, and nothing is ever evaluated.
 */

/** The text is not one complete literal. `position` is the offset in UTF-16 units where reading stopped. */
export class LiteralSyntaxError extends Error {
  readonly position: number;

  constructor(problem: string, position: number) {
    super(`${problem} at character ${position}`);
    this.name = 'LiteralSyntaxError';
    this.position = position;
  }
}

/** A list item lies at depth 2; the limit only keeps hostile nesting away from the call stack. */
const MAX_DEPTH = 32;

const WORDS = new Map<string, unknown>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
  ['0', '\0'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['/', '/'],
  ['\n', ''],
]);

/** Digits after `\x`, `\u` and `\U`. */
const HEX_DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

const SPACE = /\s*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;

/**
 * Reads one literal: lists, tuples and dicts with string keys (single or double quotes, trailing commas), numbers,
 * `True False None` and their JSON spellings. Tuples become arrays. Line breaks inside strings are kept.
 * Throws `LiteralSyntaxError`, and nothing else, when the text is anything but one complete literal.
 */
export function parseLiteral(text: string): unknown {
  const reader = new LiteralReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#error(`nested more than ${MAX_DEPTH} deep`);
    const next = this.#peek();
    if (next === '[') return this.#sequence(']', depth).values;
    if (next === '(') return this.#parentheses(depth);
    if (next === '{') return this.#dict(depth);
    if (next === '"' || next === "'") return this.#string(next);
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    return this.#word();
  }

  end(): void {
    if (this.#peek() !== undefined) throw this.#error('text after the end of the list');
  }

  #word(): unknown {
    const start = this.#at;
    const word = this.#match(WORD);
    if (word !== undefined && WORDS.has(word)) return WORDS.get(word);
    this.#at = start;
    throw this.#error(word === undefined ? 'unexpected character' : `unknown word "${word.slice(0, 40)}"`);
  }

  /** `(x)` is x itself, `(x,)` and `(x, y)` are tuples, as in Python. */
  #parentheses(depth: number): unknown {
    const { values, commas } = this.#sequence(')', depth);
    return values.length === 1 && commas === 0 ? values[0] : values;
  }

  #sequence(close: ']' | ')', depth: number): { values: unknown[]; commas: number } {
    const values: unknown[] = [];
    let commas = 0;
    this.#at += 1;
    while (this.#peek() !== close) {
      if (values.length > commas) throw this.#error(`expected "," or "${close}"`);
      values.push(this.value(depth + 1));
      if (this.#take(',')) commas += 1;
    }
    this.#at += 1;
    return { values, commas };
  }

  #dict(depth: number): Record<string, unknown> {
    const entries: Array<[string, unknown]> = [];
    let commas = 0;
    this.#at += 1;
    for (let next = this.#peek(); next !== '}'; next = this.#peek()) {
      if (entries.length > commas) throw this.#error('expected "," or "}"');
      if (next !== '"' && next !== "'") throw this.#error('expected a key in quotes');
      const key = this.#string(next);
      if (!this.#take(':')) throw this.#error('expected ":"');
      entries.push([key, this.value(depth + 1)]);
      if (this.#take(',')) commas += 1;
    }
    this.#at += 1;
    // fromEntries makes `__proto__` an ordinary key, which an assignment would not.
    return Object.fromEntries(entries);
  }

  #string(quote: string): string {
    let value = '';
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#error('the text ends inside a string');
      this.#at += 1;
      if (character === quote) return value;
      value += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at];
    if (letter === undefined) throw this.#error('the text ends inside a string');
    this.#at += 1;
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) return plain;
    const digits = HEX_DIGITS.get(letter);
    // Python keeps the backslash of an escape it does not know.
    if (digits === undefined) return `\\${letter}`;
    const hex = this.#text.slice(this.#at, this.#at + digits);
    const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : -1;
    if (code < 0 || code > 0x10ffff) throw this.#error(`bad \\${letter} escape`);
    this.#at += digits;
    // fromCharCode keeps a surrogate half, so that a JSON pair of \u escapes joins into one character.
    return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
  }

  /** The next character after white space, or undefined at the end. */
  #peek(): string | undefined {
    this.#match(SPACE);
    return this.#text[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #error(problem: string): LiteralSyntaxError {
    const ended = this.#at >= this.#text.length;
    return new LiteralSyntaxError(ended ? 'the text ends before the list does' : problem, this.#at);
  }
}
