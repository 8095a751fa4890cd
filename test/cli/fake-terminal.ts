import { PassThrough, Readable, Writable } from 'node:stream';
import { openOutput } from '../../src/cli/output.js';
import type { RunQuery } from '../../src/cli/run-to-result.js';
import type { Terminal } from '../../src/cli/terminal.js';
import type { SDKMessage } from '../../src/protocol/messages.js';
import type { Options } from '../../src/protocol/options.js';

export interface FakeTerminal {
  terminal: Terminal;
  out(): string;
  err(): string;
  interrupt(signal: string): void;
}

/** A terminal in memory. `stdin` undefined is a person at a keyboard; a text is piped in. */
export function fakeTerminal(
  given: {
    stdin?: string;
    env?: Record<string, string>;
    outIsTerminal?: boolean;
    errIsTerminal?: boolean;
  } = {},
): FakeTerminal {
  const texts = { out: '', err: '' };
  const collect = (which: 'out' | 'err', isTTY: boolean) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          texts[which] += chunk.toString();
          done();
        },
      }),
      { isTTY },
    );
  const interrupt = new AbortController();
  return {
    terminal: {
      env: given.env ?? { ANTHROPIC_API_KEY: 'key' },
      stdin: {
        stream: given.stdin === undefined ? new PassThrough() : Readable.from([Buffer.from(given.stdin)]),
        isTerminal: given.stdin === undefined,
        isSocket: false,
      },
      stdout: openOutput(collect('out', given.outIsTerminal ?? false)),
      stderr: openOutput(collect('err', given.errIsTerminal ?? false)),
      interrupted: interrupt.signal,
    },
    out: () => texts.out,
    err: () => texts.err,
    interrupt: (signal) => interrupt.abort(signal),
  };
}

export interface StubRun {
  query: RunQuery;
  asked: Array<{ prompt: string; options: Options }>;
  closes(): number;
}

/** A query that yields what the script yields and counts how often it is closed. */
export function stubQuery(
  script: (options: Options) => AsyncGenerator<SDKMessage, void>,
  close: () => unknown = () => {},
): StubRun {
  const asked: StubRun['asked'] = [];
  let closes = 0;
  return {
    asked,
    closes: () => closes,
    query: ({ prompt, options }) => {
      asked.push({ prompt, options });
      const messages = script(options);
      return {
        next: () => messages.next(),
        close: () => {
          closes += 1;
          return close();
        },
      };
    },
  };
}
