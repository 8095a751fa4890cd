import { type Clock, systemClock } from '../environment.js';
import { errorText, WaymarkError } from '../errors.js';
import { apiKeySource } from '../model/anthropic.js';
import type { SDKMessage, SDKResultMessage } from '../protocol/messages.js';
import type { OutputFormat, PrintCommand } from './arguments.js';
import { wantsColour } from './colour.js';
import { deniedLines, failureText, NO_CREDENTIALS } from './ending-text.js';
import { EXIT, exitCode, exitCodeOfError, signalCode } from './exit-code.js';
import { failedResult } from './failed-result.js';
import { joinPrompt, readPipedText } from './piped-text.js';
import { progressReporter } from './progress.js';
import { type RunEnd, type RunQuery, runToResult } from './run-to-result.js';
import type { Terminal } from './terminal.js';

export interface PrintParts {
  /** Loads the engine, after everything that can be wrong without it has been checked. */
  loadQuery?: () => Promise<RunQuery>;
  clock?: Clock;
  /** Longest wait for a run to end after a signal, and for its processes after the result. Milliseconds. */
  graceMs?: number;
}

/**
 * `waymark -p`: one prompt, one result. stdout gets the payload only; everything for people goes to stderr.
 * Gives the exit code. It resolves when all text is written, so the process may end at once.
 */
export async function runPrint(
  command: PrintCommand,
  terminal: Terminal,
  parts: PrintParts = {},
): Promise<number> {
  const { loadQuery = importQuery, clock = systemClock, graceMs = 4_000 } = parts;
  const { stdout, stderr } = terminal;
  const startedAt = clock();
  const tell = (text: string) => stderr.write(`waymark: ${text}\n`);
  const emit = (message: SDKMessage) => stdout.write(payload(command.outputFormat, message));
  /** The end of a run without a result of its own: readers of JSON get one all the same. */
  const emitFailure = (errors: string[], run?: RunEnd) =>
    emit(
      failedResult({
        sessionId: run?.sessionId,
        durationMs: clock() - startedAt,
        turns: run?.turns ?? 0,
        errors,
        interrupted: terminal.interrupted.aborted,
        apiErrorStatus: statusOf(run?.failure),
      }),
    );
  const endInterrupted = async (run?: RunEnd) => {
    const signal = String(terminal.interrupted.reason);
    await emitFailure([`interrupted by ${signal}`], run);
    await tell(`interrupted by ${signal}`);
    return signalCode(signal);
  };

  let prompt: string;
  try {
    prompt = await askedPrompt(command, terminal, (line) => void tell(line));
  } catch (thrown) {
    if (terminal.interrupted.aborted) return endInterrupted();
    await tell(`${errorText(thrown)} (waymark --help)`);
    return EXIT.usage;
  }
  if (apiKeySource(terminal.env) === 'none') {
    await emitFailure(['No credentials: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.']);
    await stderr.write(NO_CREDENTIALS);
    return EXIT.credentials;
  }

  const progress = progressReporter({
    colour: wantsColour(terminal.env, stderr.isTerminal),
    width: terminal.width,
  });
  const showsProgress = command.verbose || stderr.isTerminal;
  const run = await runToResult(await loadQuery(), {
    prompt,
    options: { ...command.options, env: terminal.env, stderr: (line) => void tell(line) },
    stop: AbortSignal.any([terminal.interrupted, stdout.closed]),
    graceMs,
    onMessage: async (message) => {
      if (showsProgress) await stderr.write(progress(message));
      await emit(message);
    },
  });
  if (run.closeProblem !== undefined) await tell(run.closeProblem);

  if (stdout.closed.aborted) return endUnwritable(stdout.closed.reason, tell);
  if (run.result === undefined) {
    if (terminal.interrupted.aborted) return endInterrupted(run);
    const text = run.failure === undefined ? 'the run ended without a result' : errorText(run.failure);
    await emitFailure([text], run);
    await tell(text);
    return run.failure === undefined ? EXIT.failed : exitCodeOfError(run.failure);
  }
  if (run.result.is_error) await tell(failureText(run.result));
  for (const line of deniedLines(run.result.permission_denials, command.allowDenials)) await tell(line);
  return exitCode({
    result: run.result,
    allowDenials: command.allowDenials,
    signal: terminal.interrupted.aborted ? String(terminal.interrupted.reason) : undefined,
  });
}

async function importQuery(): Promise<RunQuery> {
  const { query } = await import('../query.js');
  return query;
}

/** What stdout gets of a message. The text format has an answer or nothing: a failure's text is no answer. */
export function payload(format: OutputFormat, message: SDKMessage): string {
  if (format === 'stream-json') return `${JSON.stringify(message)}\n`;
  if (message.type !== 'result') return '';
  if (format === 'json') return `${JSON.stringify(message)}\n`;
  return textPayload(message);
}

function textPayload(result: SDKResultMessage): string {
  if (result.subtype !== 'success' || result.result === '') return '';
  return result.result.endsWith('\n') ? result.result : `${result.result}\n`;
}

/** @throws WaymarkError `invalid_input` when there is no prompt to run; the signal's reason when interrupted. */
async function askedPrompt(
  command: PrintCommand,
  terminal: Terminal,
  notice: (line: string) => void,
): Promise<string> {
  const { stdin, stdout, interrupted } = terminal;
  if (!command.print && stdin.isTerminal && stdout.isTerminal) {
    throw new WaymarkError(
      'invalid_input',
      'this version has no interactive session: use waymark -p "<prompt>"',
    );
  }
  if (command.prompt?.trim() === '') throw new WaymarkError('invalid_input', 'the prompt is empty');
  const piped = await readPipedText(stdin, {
    hasPrompt: command.prompt !== undefined,
    signal: interrupted,
    notice,
  });
  const prompt = joinPrompt(command.prompt, piped);
  if (prompt === undefined) {
    const { allowedTools, disallowedTools, tools, additionalDirectories } = command.options;
    const lists = allowedTools ?? disallowedTools ?? tools ?? additionalDirectories;
    const hint = lists === undefined ? '' : ' before flags that take a list';
    throw new WaymarkError('invalid_input', `no prompt: give one in quotes${hint}, or pipe it in`);
  }
  return prompt;
}

async function endUnwritable(reason: unknown, tell: (text: string) => Promise<void>): Promise<number> {
  // A reader that has seen enough (`| head`) is no news to anybody; a full disk is.
  const seenEnough = reason instanceof Error && 'code' in reason && reason.code === 'EPIPE';
  if (!seenEnough) await tell(`stdout cannot be written: ${errorText(reason)}`);
  return EXIT.failed;
}

function statusOf(failure: unknown): number | undefined {
  const status = failure instanceof WaymarkError ? failure.details.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
