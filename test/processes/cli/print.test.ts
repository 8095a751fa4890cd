import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  answer,
  httpError,
  type MessagesServer,
  type ScriptSteps,
  startMessagesServer,
} from '../../../src/testing/index.js';
import { type CliEnd, type Sandbox, sandbox, shell, start } from '../../support/cli-process.js';

let box: Sandbox;
let server: MessagesServer | undefined;

beforeEach(() => {
  box = sandbox({ ANTHROPIC_API_KEY: 'test-key' });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  box.remove();
});

async function serve(steps: ScriptSteps): Promise<void> {
  server = await startMessagesServer({ steps });
  box.env.ANTHROPIC_BASE_URL = server.url;
}

function bash(command: string, more: Record<string, unknown> = {}) {
  return answer({ toolUses: [{ name: 'Bash', input: { command, ...more } }] });
}

/** The one result on the last line; throws when a line is no JSON or there is not exactly one result. */
function resultOf({ stdout }: CliEnd) {
  expect(stdout.endsWith('\n')).toBe(true);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => line.type === 'result')).toHaveLength(1);
  return lines.at(-1);
}

/** Whether the process is there after a second. One that has ended and waits to be collected is not. */
async function alive(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      process.kill(pid, 0);
      const stat = process.platform === 'linux' ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
      if (/\) Z /.test(stat)) return false;
    } catch {
      return false;
    }
    await sleep(50);
  }
  return true;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) await sleep(50);
  expect(condition()).toBe(true);
}

describe('one prompt, one answer', () => {
  test('the prompt of the argument and the text of stdin reach the model, the answer stdout', async () => {
    await serve([answer({ text: 'forty-two' })]);
    const end = await start(box, ['-p', 'what is it?'], { stdin: 'the log' }).ended;
    expect([end.code, end.stdout, end.stderr]).toEqual([0, 'forty-two\n', '']);
    const [first] = server?.requests.at(0)?.body.messages ?? [];
    expect(JSON.stringify(first)).toContain('what is it?\\n\\nthe log');
    server?.assertDone();
  });

  test('the flags reach the request', async () => {
    await serve([answer({ text: 'ok' })]);
    const args = [
      '--model',
      'claude-x',
      '--tools',
      'Read',
      '--append-system-prompt',
      'Be brief, friend.',
      '-p',
      'hi',
    ];
    expect((await start(box, args).ended).code).toBe(0);
    const body = server?.requests.at(0)?.body;
    expect(body?.model).toBe('claude-x');
    expect(JSON.stringify(body?.tools)).toMatch(/"name":"Read"/);
    expect(JSON.stringify(body?.tools)).not.toMatch(/"name":"Bash"/);
    expect(JSON.stringify(body?.system)).toContain('Be brief, friend.');
  });

  test('stream-json gives init first and the result last', async () => {
    await serve([answer({ text: 'ok' })]);
    const end = await start(box, ['-p', 'hi', '--output-format', 'stream-json', '--include-partial-messages'])
      .ended;
    const types = end.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types[0]).toBe('system');
    expect(types).toContain('stream_event');
    expect(resultOf(end)).toMatchObject({ subtype: 'success', is_error: false, result: 'ok' });
  });

  test('progress and the todo list go to stderr when asked for, and never to stdout', async () => {
    const todos = [{ content: 'Look around', status: 'in_progress', activeForm: 'Looking around' }];
    const steps = () => [
      answer({ toolUses: [{ name: 'TodoWrite', input: { todos } }] }),
      bash('echo hi'),
      answer({ text: 'done' }),
    ];
    await serve(steps());
    const end = await start(box, ['-p', 'go', '--allowedTools', 'Bash', '--verbose']).ended;
    expect([end.code, end.stdout]).toEqual([0, 'done\n']);
    expect(end.stderr).toContain('Current Tasks\n▸ Looking around\n· Bash echo hi\n');
    await server?.close();
    await serve(steps());
    const quiet = await start(box, ['-p', 'go', '--allowedTools', 'Bash']).ended;
    expect([quiet.stdout, quiet.stderr]).toEqual(['done\n', '']);
  });
});

test('B93 a result of 1 MB reaches a slow reader whole, with its final newline', async () => {
  const text = 'x'.repeat(1024 * 1024);
  await serve([answer({ text, chunkSize: 65_536 })]);
  const { stdout } = await shell(
    box,
    '"$NODE" "$WAYMARK" -p hi --output-format json </dev/null | (sleep 1; cat) ; echo "code $PIPESTATUS"',
  ).ended;
  const [line, code] = stdout.trimEnd().split('\n');
  expect(JSON.parse(line ?? '').result).toBe(text);
  expect(code).toBe('code 0');
});

test('B93 a reader that goes away ends the run without a stack and without success', async () => {
  await serve([answer({ text: 'x'.repeat(1024 * 1024), chunkSize: 65_536 })]);
  const { stdout, stderr } = await shell(
    box,
    '"$NODE" "$WAYMARK" -p hi </dev/null | head -c 10; echo "code $PIPESTATUS"',
  ).ended;
  expect(stdout).toBe('xxxxxxxxxxcode 1\n');
  expect(stderr).toBe('');
});

describe('B94 every way to fail has its exit code, says why on stderr, and leaves stdout empty', () => {
  const now = { 'retry-after': '0', 'x-should-retry': 'false' };
  test.each<[string, number, ScriptSteps, string[]]>([
    ['401', 5, () => httpError({ status: 401, type: 'authentication_error', message: 'bad key' }), []],
    ['403', 5, () => httpError({ status: 403, type: 'permission_error', message: 'not yours' }), []],
    [
      '429',
      1,
      () => httpError({ status: 429, type: 'rate_limit_error', message: 'slow down', headers: now }),
      [],
    ],
    ['500', 1, () => httpError({ status: 500, type: 'api_error', message: 'broken', headers: now }), []],
    ['a refusal', 1, () => answer({ text: 'No.', stopReason: 'refusal' }), []],
    ['the limit of turns', 4, () => bash('true'), ['--max-turns', '2', '--allowedTools', 'Bash']],
  ])('%s', async (_name, code, steps, args) => {
    await serve(steps);
    const text = await start(box, ['-p', 'hi', ...args]).ended;
    expect([text.code, text.stdout]).toEqual([code, '']);
    expect(text.stderr).toMatch(/^waymark: ./);
    const json = await start(box, ['-p', 'hi', '--output-format', 'json', ...args]).ended;
    expect(json.code).toBe(code);
    const result = resultOf(json);
    expect(result).toMatchObject({ is_error: true, errors: [expect.any(String)] });
    expect(result.subtype).not.toBe('success');
  });

  test('an option that the engine refuses is wrong usage', async () => {
    await serve(() => answer({ text: 'ok' }));
    const end = await start(box, ['-p', 'hi', '--allowedTools', 'Bash(']).ended;
    expect([end.code, end.stdout]).toEqual([2, '']);
    expect(end.stderr).toContain('Bash(');
  });
});

describe('a denial for want of a person is exit 3', () => {
  const steps = () => [bash('touch made'), answer({ text: 'I could not.' })];

  test('the answer is printed, the tool named, the command not run', async () => {
    await serve(steps());
    const end = await start(box, ['-p', 'hi']).ended;
    expect([end.code, end.stdout]).toEqual([3, 'I could not.\n']);
    expect(end.stderr).toMatch(/1 call was denied because nobody could be asked: Bash/);
    const { code } = await start(box, ['-c', 'test -e made'], { program: '/bin/bash' }).ended;
    expect(code).toBe(1);
  });

  test('--allow-denials makes it 0', async () => {
    await serve(steps());
    expect((await start(box, ['-p', 'hi', '--allow-denials']).ended).code).toBe(0);
  });

  test('a call that a rule of the user forbids is no such denial', async () => {
    await serve(steps());
    const end = await start(box, ['-p', 'hi', '--disallowedTools', 'Bash(touch:*)', '--allowedTools', 'Bash'])
      .ended;
    expect([end.code, end.stdout]).toEqual([0, 'I could not.\n']);
  });

  test('the same call denied three times ends the run, and the code is not 0', async () => {
    await serve(() => bash('touch made'));
    const end = await start(box, ['-p', 'hi', '--output-format', 'json']).ended;
    expect(end.code).toBe(3);
    expect(resultOf(end)).toMatchObject({ is_error: true });
    expect(server?.requests.length).toBeLessThanOrEqual(4);
  });
});

describe('B95 exactly one result, then the end', () => {
  test('six runs side by side each give one', async () => {
    await serve(() => answer({ text: 'ok' }));
    const runs = Array.from(
      { length: 6 },
      () => start(box, ['-p', 'hi', '--output-format', 'stream-json']).ended,
    );
    for (const end of await Promise.all(runs)) {
      expect(end.code).toBe(0);
      expect(resultOf(end)).toMatchObject({ subtype: 'success' });
    }
  }, 60_000);

  test('a background shell that is still alive is ended with the run, and does not hold the exit', async () => {
    await serve([
      bash('echo $$ > pid; sleep 300 & echo $! > child; wait', { run_in_background: true }),
      bash('for i in $(seq 100); do [ -s child ] && break; sleep 0.05; done; cat pid child'),
      answer({ text: 'left it running' }),
    ]);
    const end = await start(box, ['-p', 'hi', '--output-format', 'stream-json', '--allowedTools', 'Bash'])
      .ended;
    expect(end.code).toBe(0);
    expect(resultOf(end)).toMatchObject({ result: 'left it running' });
    const pids = [...JSON.stringify(server?.requests.at(-1)?.body.messages).matchAll(/"(\d+)\\n(\d+)/g)].at(
      -1,
    );
    expect(pids).toHaveLength(3);
    for (const pid of pids?.slice(1) ?? []) expect(await alive(Number(pid))).toBe(false);
    // 5 seconds for the exit, and what two turns and the start of the process take.
    expect(end.ms).toBeLessThan(15_000);
  });

  test.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])(
    '%s in the middle of a command ends it with its children, and still gives the result',
    async (signal, code) => {
      await serve([bash('sleep 300 & echo $! > child; wait'), answer({ text: 'never' })]);
      const run = start(box, ['-p', 'hi', '--output-format', 'json', '--allowedTools', 'Bash']);
      const look = () => start(box, ['-c', 'cat child 2>/dev/null'], { program: '/bin/bash' }).ended;
      let child = '';
      for (let tries = 0; tries < 100 && child === ''; tries += 1) {
        await sleep(50);
        child = (await look()).stdout.trim();
      }
      expect(child).toMatch(/^\d+$/);
      const asked = performance.now();
      run.child.kill(signal);
      const end = await run.ended;
      expect([end.code, end.signal]).toEqual([code, null]);
      expect(performance.now() - asked).toBeLessThan(10_000);
      expect(resultOf(end)).toMatchObject({ type: 'result', is_error: true, errors: [expect.any(String)] });
      expect(await alive(Number(child))).toBe(false);
    },
  );

  test('SIGINT while the model is silent ends the wait', async () => {
    await serve(() => ({ kind: 'stall', stall: { ms: 60_000 } }));
    const run = start(box, ['-p', 'hi', '--output-format', 'stream-json']);
    await until(() => (server?.requests.length ?? 0) > 0);
    run.child.kill('SIGINT');
    const end = await run.ended;
    expect(end.code).toBe(130);
    expect(resultOf(end)).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
  });

  test('a program that leaves our stdin open does not hold the run', async () => {
    await serve([answer({ text: 'ok' })]);
    const run = start(box, ['-p', 'hi'], { stdin: 'open' });
    const end = await run.ended;
    expect([end.code, end.stdout]).toEqual([0, 'ok\n']);
    expect(end.stderr).toContain('going on with the prompt alone');
  });
});

test('B97 piped text without -p is a prompt', async () => {
  await serve([answer({ text: 'hello' })]);
  const { stdout } = await shell(box, 'echo hi | "$NODE" "$WAYMARK"').ended;
  expect(stdout).toBe('hello\n');
});

describe('planning by flag', () => {
  test.each<[string[], Record<string, string>, string, string]>([
    [[], {}, 'TodoWrite', 'TaskCreate'],
    [['--planning', 'tasks'], {}, 'TaskCreate', 'TodoWrite'],
    [['--tasks', 'sprint'], { CLAUDE_CODE_ENABLE_TASKS: '0' }, 'TaskCreate', 'TodoWrite'],
    [[], { CLAUDE_CODE_ENABLE_TASKS: '1' }, 'TaskCreate', 'TodoWrite'],
  ])('%j %j offers %s and not %s', async (args, env, offered, absent) => {
    await serve([answer({ text: 'ok' })]);
    expect((await start(box, ['-p', 'hi', ...args], { env }).ended).code).toBe(0);
    const names = JSON.stringify(server?.requests.at(0)?.body.tools);
    expect(names).toContain(`"name":"${offered}"`);
    expect(names).not.toContain(`"name":"${absent}"`);
  });

  test('a named list is on disk for the next run', async () => {
    await serve([
      answer({ toolUses: [{ name: 'TaskCreate', input: { subject: 'Sweep', description: 'The yard' } }] }),
      answer({ text: 'planned' }),
      answer({ toolUses: [{ name: 'TaskList', input: {} }] }),
      answer({ text: 'seen' }),
    ]);
    expect((await start(box, ['-p', 'plan', '--tasks', 'sprint']).ended).code).toBe(0);
    const { stdout } = await start(box, ['-c', 'cat "$HOME/.claude/tasks/sprint/1.json"'], {
      program: '/bin/bash',
    }).ended;
    expect(JSON.parse(stdout)).toMatchObject({ id: '1', subject: 'Sweep', status: 'pending' });
    expect((await start(box, ['-p', 'go on', '--tasks', 'sprint']).ended).code).toBe(0);
    expect(JSON.stringify(server?.requests.at(-1)?.body.messages)).toContain('#1 [pending] Sweep');
  });
});
