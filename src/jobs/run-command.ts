import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.js';
import { errorText } from '../errors.js';
import type { OutputFiles } from '../workspace/output-files.js';
import { CommandOutput } from './command-output.js';
import { ProcessGroup } from './process-group.js';

/** How long output of a shell that has ended is waited for, when children hold its pipes open. Milliseconds. */
const DRAIN_MS = 200;

export interface CommandRequest {
  command: string;
  cwd: string;
  env: Environment;
  files: OutputFiles;
  /** Ends the command when it takes longer. Milliseconds; absent: no limit. */
  timeoutMs?: number;
  /** Ends the command when aborted. */
  signal?: AbortSignal;
  /** Characters of output kept in memory; the whole goes to a file above it. */
  keep: number;
  /** Whether the output file is made at once. */
  fileAtOnce?: boolean;
  /** Bytes of output before the command is ended. */
  outputLimit?: number;
}

/** How a command ended. Unless by itself, it was ended by us with all its children. */
export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  endedBy: 'itself' | 'timeout' | 'abort' | 'output_limit';
  /** What kept the command from being started. */
  startProblem?: string;
}

export interface RunningCommand {
  group: ProcessGroup;
  /** stdout and stderr in the order in which they came. */
  output: CommandOutput;
  stdout: CommandOutput;
  stderr: CommandOutput;
  ended: Promise<CommandEnd>;
  /** Ends the command and all its children; resolves when they are gone. */
  stop(): Promise<void>;
}

/**
 * Starts a shell command. It is over when the shell has ended: children that stay behind and hold its output open are
 * not waited for, and what they write later is dropped.
 */
export function runCommand(request: CommandRequest): RunningCommand {
  const { command, files, keep, timeoutMs, signal, outputLimit } = request;
  const group = new ProcessGroup(command, request);
  let endedBy: CommandEnd['endedBy'] = 'itself';
  let ending: Promise<void> | undefined;
  const end = (why: CommandEnd['endedBy']): Promise<void> => {
    if (ending) return ending;
    endedBy = why;
    ending = group.end();
    return ending;
  };
  const output = new CommandOutput({
    files,
    name: command.trim().split('\n', 1)[0] ?? '',
    keep,
    file: request.fileAtOnce ? 'at_once' : 'when_long',
    ...(outputLimit === undefined ? {} : { limit: outputLimit }),
    onLimit: () => void end('output_limit'),
  });
  // Apart from each other, for hosts: start and end only, as the whole is in the output they share.
  const part = () => new CommandOutput({ files, name: '', keep, file: 'never', onLimit: () => {} });
  const stdout = part();
  const stderr = part();
  const ended = (async (): Promise<CommandEnd> => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => void end('timeout'), timeoutMs);
    const onAbort = () => void end('abort');
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const exit = await exitOf(group, [
        [group.child.stdout, [output.writer(), stdout.writer()]],
        [group.child.stderr, [output.writer(), stderr.writer()]],
      ]);
      await ending;
      return { ...exit, endedBy };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      for (const collected of [output, stdout, stderr]) collected.close();
    }
  })();
  return { group, output, stdout, stderr, ended, stop: () => end('abort') };
}

type Streams = ReadonlyArray<
  [stream: ProcessGroup['child']['stdout'], writers: Array<(chunk: Buffer) => void>]
>;

/** Waits for the shell to end and for what it wrote until then. */
async function exitOf({ child }: ProcessGroup, streams: Streams): Promise<Omit<CommandEnd, 'endedBy'>> {
  const drained = Promise.all(
    streams.map(
      ([stream, writers]) =>
        new Promise<void>((resolve) => {
          stream.on('data', (chunk: Buffer) => {
            for (const write of writers) write(chunk);
          });
          stream.on('close', resolve);
          // A pipe that breaks has nothing more to say; how the command ended comes from the process itself.
          stream.on('error', () => resolve());
        }),
    ),
  );
  const exit = await new Promise<Omit<CommandEnd, 'endedBy'>>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, startProblem: errorText(error) }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
  // Children that live on keep their end: they are not killed by a closed pipe, what they write goes nowhere, and this
  // process does not wait for them.
  for (const [stream] of streams) {
    stream.removeAllListeners('data').resume();
    if (stream instanceof Socket) stream.unref();
  }
  return exit;
}
