import { z } from 'zod';
import type { CommandEnd } from '../jobs/run-command.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;
/** Characters of output that the model reads. */
const SHOWN_CHARS = 30_000;

const bashInputSchema = z.strictObject({
  command: z.string().refine((value) => value.trim() !== '', 'must not be blank'),
  timeout: z
    .number()
    .positive()
    .max(LONGEST_TIMEOUT_MS)
    .optional()
    .describe(`Milliseconds, default ${DEFAULT_TIMEOUT_MS}, at most ${LONGEST_TIMEOUT_MS}`),
  description: z.string().optional().describe('What it does, in a few words'),
  run_in_background: z.boolean().optional(),
});
type Input = z.output<typeof bashInputSchema>;

export interface BashOutput {
  stdout: string;
  stderr: string;
  interrupted: boolean;
  exitCode: number | null;
  backgroundTaskId?: string;
  timedOutAfterMs?: number;
  /** The file with the whole output, when it was longer than what is shown. */
  persistedOutputPath?: string;
}

/** Runs a shell command in a process group of its own. A code other than 0 is a failed call. */
export const BashTool = defineTool({
  name: 'Bash',
  description:
    'Runs a Bash command in a new shell in the working folder. Standard input is empty and there is no terminal: use ' +
    'non-interactive flags. Quote paths with spaces. Prefer Read, Grep, Glob, Edit and Write for files. ' +
    'run_in_background for servers and long jobs: returns an id for TaskOutput and TaskStop.',
  inputSchema: bashInputSchema,
  access: ({ command }) => ({ kind: 'execute', command }),
  isReadOnly: () => false,
  call: (input, context) =>
    input.run_in_background ? startInBackground(input, context) : run(input, context),
});

async function run(input: Input, context: ToolContext): Promise<ToolResult<BashOutput>> {
  const { workspace, jobs, env, signal } = context;
  const timeoutMs = input.timeout ?? DEFAULT_TIMEOUT_MS;
  const { running, end } = await jobs.run({
    command: input.command,
    cwd: workspace.cwd,
    env,
    files: workspace.outputs,
    timeoutMs,
    signal,
    keep: SHOWN_CHARS,
  });
  const { output, stdout, stderr } = running;
  const data: BashOutput = {
    stdout: stdout.text(),
    stderr: stderr.text(),
    interrupted: end.endedBy !== 'itself',
    exitCode: end.code,
    ...(end.endedBy === 'timeout' ? { timedOutAfterMs: timeoutMs } : {}),
    ...(output.path === undefined ? {} : { persistedOutputPath: output.path }),
  };
  const problem = problemOf(end, timeoutMs, input.command, output.newest(2000));
  const content = [problem, output.text()].filter((part) => part?.trim()).join('\n');
  return { data, content, isError: problem !== undefined };
}

/** What went wrong, or undefined for a command that ended by itself with code 0. */
function problemOf(end: CommandEnd, timeoutMs: number, command: string, output: string): string | undefined {
  if (end.startProblem !== undefined) return `The command could not be started: ${end.startProblem}`;
  const gone = 'it and all its children were ended. Output so far:';
  if (end.endedBy === 'timeout') {
    return `The command timed out after ${timeoutMs / 1000} s; ${gone}${hint(command, output, true)}`;
  }
  if (end.endedBy === 'abort') return `The command was interrupted; ${gone}`;
  if (end.endedBy === 'output_limit') return `The command wrote too much; ${gone}`;
  if (end.code === 0) return undefined;
  return `${end.code === null ? `Ended by ${end.signal}` : `Exit code ${end.code}`}${hint(command, output, false)}`;
}

const ASKS =
  /\[y\/n\]|\(yes\/no|password|passphrase|terminal is required|not a tty|inappropriate ioctl|could not read username|problem with the editor|EOF when reading|end of file/i;

function hint(command: string, output: string, timedOut: boolean): string {
  if (
    ASKS.test(output) ||
    (!timedOut && /\b(read|sudo|passwd|ssh)\b/.test(command) && output.trim() === '')
  ) {
    return '\n(It seems to have asked for input, and there is none: use a non-interactive flag such as -y, -m or --no-edit.)';
  }
  return '';
}

async function startInBackground(input: Input, context: ToolContext): Promise<ToolResult<BashOutput>> {
  const { workspace, jobs, env } = context;
  const job = jobs.start(
    {
      command: input.command,
      cwd: workspace.cwd,
      env,
      files: workspace.outputs,
      keep: SHOWN_CHARS,
      ...(input.timeout === undefined ? {} : { timeoutMs: input.timeout }),
    },
    input.description,
  );
  const where = job.outputPath === undefined ? '' : ` Its output goes to ${job.outputPath}.`;
  const data: BashOutput = {
    stdout: '',
    stderr: '',
    interrupted: false,
    exitCode: null,
    backgroundTaskId: job.id,
    ...(job.outputPath === undefined ? {} : { persistedOutputPath: job.outputPath }),
  };
  const content = `Started in the background as ${job.id}.${where} TaskOutput waits for it and shows what it wrote; TaskStop ends it.`;
  return { data, content };
}
