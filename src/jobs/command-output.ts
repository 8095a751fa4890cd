import { closeSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errorText } from '../errors.js';
import { wholeIn, withLeftOut } from '../workspace/left-out.js';
import type { OutputFiles } from '../workspace/output-files.js';

/** Bytes of one command's output, on disk. Above it the command is ended: logs without a limit have filled disks. */
export const LARGEST_OUTPUT = 32 * 1024 * 1024;

export interface OutputOptions {
  files: OutputFiles;
  /** A hint for the file's name. */
  name: string;
  /** Characters that are kept in memory from the start and from the end. */
  keep: number;
  /** When the file is made. Default `when_long`: when the output grows longer than `keep`. */
  file?: 'at_once' | 'when_long' | 'never';
  /** Bytes. Default 32 MiB. */
  limit?: number;
  /** Told once, when the limit is reached; nothing is kept after that. */
  onLimit: () => void;
}

/** The output of a command: start and end in memory, all of it up to a limit in a file. */
export class CommandOutput {
  readonly #options: OutputOptions;
  readonly #limit: number;
  #file: { path: string; descriptor: number } | undefined;
  #problem: string | undefined;
  #head = '';
  #tail = '';
  #chars = 0;
  #bytes = 0;
  #isFull = false;
  #isClosed = false;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#limit = options.limit ?? LARGEST_OUTPUT;
    if (options.file === 'at_once') this.#openFile();
  }

  /** The file with the whole output, when there is one. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /** A writer for one stream: characters that come in pieces are put together per stream. */
  writer(): (chunk: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    return (chunk) => this.#add(decoder.write(chunk));
  }

  /** The newest `chars` characters. */
  newest(chars: number): string {
    const text = this.#head + this.#tail;
    return text.length <= chars ? text : text.slice(-chars).replace(/^[\uDC00-\uDFFF]/, '');
  }

  /** All of it, or start and end with a line between that says what is missing and where the whole is. */
  text(): string {
    if (this.#chars <= this.#head.length + this.#tail.length) return this.#head + this.#tail;
    const saved = this.#problem === undefined ? '' : `It could not be saved: ${this.#problem}`;
    const where = saved || (this.#file ? wholeIn(this.#file.path) : '');
    return withLeftOut(this.#head, this.#tail, this.#chars, where);
  }

  /** Takes nothing more and closes the file. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#file) closeSync(this.#file.descriptor);
  }

  #add(text: string): void {
    if (this.#isFull || this.#isClosed || text === '') return;
    const { keep, file = 'when_long' } = this.#options;
    const isLong = this.#chars + text.length > keep;
    if (isLong && file !== 'never' && !this.#file && this.#problem === undefined) this.#openFile();
    this.#keep(text);
    this.#write(text);
    if (this.#bytes < this.#limit) return;
    const note = `\n[The output reached ${this.#limit} bytes; the command was ended.]\n`;
    this.#keep(note);
    this.#write(note);
    this.#isFull = true;
    this.#options.onLimit();
  }

  /** Two thirds of what is kept are the start, one third is the end. */
  #keep(text: string): void {
    const { keep } = this.#options;
    const headRoom = Math.ceil((keep * 2) / 3) - this.#head.length;
    const toHead = this.#tail === '' ? text.slice(0, Math.max(0, headRoom)) : '';
    this.#head += toHead;
    this.#chars += text.length;
    this.#bytes += Buffer.byteLength(text);
    const tail = this.#tail + text.slice(toHead.length);
    const room = Math.floor(keep / 3);
    this.#tail = tail.length <= room ? tail : tail.slice(-room).replace(/^[\uDC00-\uDFFF]/, '');
  }

  #openFile(): void {
    try {
      this.#file = this.#options.files.create(this.#options.name);
      // What came before the file was made is all still in memory.
      this.#write(this.#head + this.#tail);
    } catch (error) {
      this.#problem = errorText(error);
    }
  }

  #write(text: string): void {
    if (!this.#file || text === '') return;
    try {
      writeSync(this.#file.descriptor, text);
    } catch (error) {
      // A full disk must not end the command; the text in memory goes on and says what is missing.
      this.#problem ??= errorText(error);
    }
  }
}
