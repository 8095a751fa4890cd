import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { simulatedModel } from '../../src/demo/simulated-model.js';
import { textOf } from '../../src/testing/wire-value.js';

interface Block {
  type: string;
  name?: string;
  text?: string;
  id?: string;
  input?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface PlainRun {
  /** The last text. */
  summary: string;
  /** Names of the calls, an array for each round. */
  rounds: string[][];
  /** The states of the plan's items at the end. */
  states: string[];
  /** Most rounds in a row without a plan write. */
  longestGap: number;
  messages: Array<{ role: string; content: Block[] | string }>;
}

const PLAN_WRITES = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

/**
 * The least loop that can carry the simulated model: real files, real tests, no engine. With `remind` the open plan is
 * put after the results of the third round in a row without a plan write, as the engine does it.
 */
export async function runPlainAgent(
  folder: string,
  planning: 'todo' | 'tasks',
  remind: boolean,
): Promise<PlainRun> {
  const model = simulatedModel({ folder, planning });
  const plan = new PlainPlan();
  let sinceWrite = 0;
  const run: PlainRun = {
    summary: '',
    rounds: [],
    states: [],
    longestGap: 0,
    messages: [{ role: 'user', content: 'Rename it.' }],
  };
  for (let round = 0; round < 100; round++) {
    const body = { model: 'm', max_tokens: 1, messages: JSON.parse(JSON.stringify(run.messages)) };
    const step = model({ body, headers: {}, text: '', time: 0 });
    if (step.kind !== 'answer') throw new Error(`unexpected step ${step.kind}`);
    const { text = '', toolUses = [] } = step.answer;
    const calls = toolUses.map(
      (call, index) => ({ type: 'tool_use', id: `r${round}c${index}`, ...call }) as Block,
    );
    run.messages.push({ role: 'assistant', content: [{ type: 'text', text }, ...calls] });
    run.states = plan.items.map((item) => item.status);
    if (calls.length === 0) return { ...run, summary: text };
    run.rounds.push(calls.map((call) => String(call.name)));
    const results: Block[] = [];
    for (const call of calls) {
      const { text: content, failed } = await execute(folder, plan, call);
      results.push({
        type: 'tool_result',
        tool_use_id: call.id,
        content,
        ...(failed ? { is_error: true } : {}),
      });
    }
    sinceWrite = calls.some((call) => PLAN_WRITES.has(String(call.name))) ? 0 : sinceWrite + 1;
    run.longestGap = Math.max(run.longestGap, sinceWrite);
    if (remind && sinceWrite === 3) {
      results.push({ type: 'text', text: `<system-reminder>\n${plan.text()}\n</system-reminder>` });
    }
    run.messages.push({ role: 'user', content: results });
  }
  throw new Error('the simulated model did not come to an end in 100 rounds');
}

class PlainPlan {
  items: Array<{ text: string; status: string }> = [];

  text(): string {
    return this.items.map(({ text, status }, index) => `#${index + 1} [${status}] ${text}`).join('\n');
  }
}

async function execute(
  folder: string,
  plan: PlainPlan,
  call: Block,
): Promise<{ text: string; failed?: boolean }> {
  const input = call.input ?? {};
  const path = textOf(input.file_path);
  switch (call.name) {
    case 'TodoWrite':
      plan.items = (input.todos as Array<{ content: string; status: string }>).map((todo) => ({
        text: todo.content,
        status: todo.status,
      }));
      return { text: plan.text() };
    case 'TaskCreate':
      plan.items.push({ text: String(input.subject), status: 'pending' });
      return { text: `Task #${plan.items.length} created successfully: ${String(input.subject)}` };
    case 'TaskUpdate': {
      const item = plan.items[Number(input.taskId) - 1];
      if (!item) return { text: 'Task not found', failed: true };
      item.status = textOf(input.status) || item.status;
      return { text: `Updated task #${String(input.taskId)}` };
    }
    case 'TaskList':
      return { text: plan.text() };
    case 'Read':
      return { text: readFileSync(path, 'utf8').replace(/^/gm, '     1→') };
    case 'Edit': {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(String(input.old_string))) return { text: 'old_string not found', failed: true };
      writeFileSync(
        path,
        text.replaceAll(String(input.old_string), () => String(input.new_string)),
      );
      return { text: 'ok' };
    }
    case 'Grep': {
      const pattern = new RegExp(String(input.pattern));
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(js|md)$/.test(name),
      );
      const found = paths.filter((name) => pattern.test(readFileSync(join(folder, name), 'utf8')));
      return {
        text: found.length > 0 ? `Found ${found.length} files\n${found.join('\n')}` : 'No files found',
      };
    }
    case 'Bash':
      return runShell(folder, String(input.command));
    default:
      return { text: `No such tool: ${String(call.name)}`, failed: true };
  }
}

function runShell(cwd: string, command: string): Promise<{ text: string; failed?: boolean }> {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ text: `${stdout}\n${stderr}`, failed: error !== null });
    });
  });
}
