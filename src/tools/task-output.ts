import { z } from 'zod';
import type { JobView } from '../jobs/jobs.js';
import { defineTool, type ToolResult } from '../tool.js';

const DEFAULT_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;
/** The newest characters of the output. */
const SHOWN_CHARS = 20_000;

const taskOutputInputSchema = z.strictObject({
  task_id: z.string(),
  block: z.boolean().optional().describe('Wait for its end; default true'),
  timeout: z
    .number()
    .min(0)
    .max(LONGEST_WAIT_MS)
    .optional()
    .describe(`Longest wait, ms; default ${DEFAULT_WAIT_MS}`),
});

export interface TaskOutputOutput {
  retrieval_status: 'success' | 'timeout' | 'not_ready';
  task: {
    task_id: string;
    task_type: 'local_bash';
    status: JobView['status'];
    description: string;
    output: string;
    exitCode: number | null;
  } | null;
}

/** The state and the newest output of a background command. */
export const TaskOutputTool = defineTool({
  name: 'TaskOutput',
  aliases: ['BashOutput'],
  description: 'State and newest output of a background command.',
  inputSchema: taskOutputInputSchema,
  access: () => ({ kind: 'none' }),
  isReadOnly: () => true,
  repair: renamedId,
  async call({ task_id, block = true, timeout = DEFAULT_WAIT_MS }, { jobs, signal }) {
    if (!jobs.get(task_id)) return unknownJob(task_id, jobs.list());
    if (block) await jobs.waitFor(task_id, timeout, signal);
    const job = jobs.get(task_id);
    if (!job) return unknownJob(task_id, jobs.list());
    const output = jobs.newestOutput(task_id, SHOWN_CHARS);
    const isRunning = job.status === 'running';
    const { status, description, exitCode } = job;
    const data: TaskOutputOutput = {
      retrieval_status: isRunning ? (block ? 'timeout' : 'not_ready') : 'success',
      task: { task_id, task_type: 'local_bash', status, description, output, exitCode },
    };
    const state = `${task_id} is ${status}${exitCode === null ? '' : `, exit code ${exitCode}`}.`;
    const where = job.outputPath === undefined ? '' : ` Whole output: ${job.outputPath}`;
    return { data, content: `${state}${where}\n${output.trim() === '' ? '(no output)' : output}` };
  },
});

/** The key's name in the older tool. */
function renamedId(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || 'task_id' in input || !('bash_id' in input))
    return input;
  const { bash_id, ...rest } = input;
  return { task_id: bash_id, ...rest };
}

function unknownJob(id: string, jobs: readonly JobView[]): ToolResult<TaskOutputOutput> {
  const known = jobs.map((job) => job.id).join(', ') || 'none';
  return {
    data: { retrieval_status: 'success', task: null },
    content: `There is no background command ${id}. Known: ${known}.`,
    isError: true,
  };
}
