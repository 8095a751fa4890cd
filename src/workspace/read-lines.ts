import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Encoding } from './text-file.js';

export interface LinesRequest {
  encoding: Exclude<Encoding, 'binary'>;
  /** The first line wanted, from 1. */
  offset: number;
  /** Most lines. */
  limit: number;
  /** Most characters of all lines together; only whole lines are returned, at least one. */
  maxChars: number;
  /** Most characters of one line. */
  maxLineChars: number;
  signal?: AbortSignal;
}

export interface Lines {
  /** Without line ends. */
  lines: string[];
  totalLines: number;
  /** How many of `lines` were cut. */
  cutLines: number;
  /** True when `maxChars` ended the list before `limit` did. */
  stoppedBySize: boolean;
  /** The mark of the whole file for the read log; same as `contentMark` of its bytes. */
  mark: string;
  /** True when a byte sequence was no valid text and is shown as U+FFFD. */
  damaged: boolean;
}

/** Takes text in pieces and keeps only the lines that are wanted, so that a huge file costs no more than they do. */
class LineCollector {
  readonly lines: string[] = [];
  cutLines = 0;
  stoppedBySize = false;
  #number = 1;
  #chars = 0;
  #line = '';
  #lineChars = 0;
  readonly #request: LinesRequest;

  constructor(request: LinesRequest) {
    this.#request = request;
  }

  add(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#append(text.slice(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#append(text.slice(from));
  }

  /** Returns the number of lines in all. */
  finish(): number {
    if (this.#lineChars > 0) this.#endLine();
    return this.#number - 1;
  }

  get #wanted(): boolean {
    const { offset, limit } = this.#request;
    return !this.stoppedBySize && this.#number >= offset && this.#number < offset + limit;
  }

  #append(text: string): void {
    this.#lineChars += text.length;
    const room = this.#request.maxLineChars + 1 - this.#line.length;
    if (room > 0 && this.#wanted) this.#line += text.slice(0, room);
  }

  #endLine(): void {
    if (this.#wanted) this.#keep();
    this.#line = '';
    this.#lineChars = 0;
    this.#number += 1;
  }

  #keep(): void {
    const { maxLineChars, maxChars } = this.#request;
    const cut =
      this.#lineChars > maxLineChars + 1 || (this.#line.length > maxLineChars && !this.#line.endsWith('\r'));
    const text = cut
      ? `${this.#line.slice(0, maxLineChars)}… [line cut, ${this.#lineChars} characters]`
      : this.#line.replace(/\r$/, '');
    if (this.lines.length > 0 && this.#chars + text.length > maxChars) {
      this.stoppedBySize = true;
      return;
    }
    if (cut) this.cutLines += 1;
    this.#chars += text.length + 1;
    this.lines.push(text);
  }
}

/** Reads some lines of a text file, counts all of them, and marks the content. Memory stays small for any file. */
export async function readLines(path: string, request: LinesRequest): Promise<Lines> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder(request.encoding);
  const collector = new LineCollector(request);
  let damaged = false;
  const take = (text: string) => {
    damaged ||= text.includes('\ufffd');
    collector.add(text);
  };
  const stream = createReadStream(path, {
    highWaterMark: 256 * 1024,
    ...(request.signal ? { signal: request.signal } : {}),
  });
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    hash.update(bytes);
    take(decoder.decode(bytes, { stream: true }));
  }
  take(decoder.decode());
  const totalLines = collector.finish();
  return {
    lines: collector.lines,
    totalLines,
    cutLines: collector.cutLines,
    stoppedBySize: collector.stoppedBySize,
    mark: hash.digest('base64'),
    damaged,
  };
}
