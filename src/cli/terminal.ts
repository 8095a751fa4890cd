import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { type Environment, environment } from '../environment.js';
import { type Output, openOutput } from './output.js';
import type { PipedInput } from './piped-text.js';

/** What the command has of the outside world. Tests give their own. */
export interface Terminal {
  env: Environment;
  stdin: PipedInput;
  stdout: Output;
  stderr: Output;
  /** Columns of stderr. */
  width?: number | undefined;
  /** Aborted by the first signal that asks the process to end; the reason is the signal's name. */
  interrupted: AbortSignal;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process. Installs the signal handlers, which stay for the rest of its life. */
export function processTerminal(onSecondSignal: (signal: string) => void): Terminal {
  const interrupt = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) onSecondSignal(signal);
      else interrupt.abort(signal);
    });
  }
  return {
    env: environment(),
    stdin: openInput(),
    stdout: openOutput(process.stdout),
    stderr: openOutput(process.stderr),
    width: process.stderr.columns || undefined,
    interrupted: interrupt.signal,
  };
}

function openInput(): PipedInput {
  try {
    const stat = fstatSync(0);
    return { stream: process.stdin, isTerminal: process.stdin.isTTY === true, isSocket: stat.isSocket() };
  } catch {
    // Started with a closed or unusable standard input: there is no text in it, which is the same as an empty one.
    return { stream: Readable.from([]), isTerminal: false, isSocket: false };
  }
}
