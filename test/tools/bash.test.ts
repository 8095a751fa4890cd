import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BashOutput, BashTool } from '../../src/tools/bash.js';
import { ReadTool } from '../../src/tools/read.js';
import { TaskOutputTool } from '../../src/tools/task-output.js';
import { TaskStopTool } from '../../src/tools/task-stop.js';
import { OutputFiles } from '../../src/workspace/output-files.js';
import { isAlive } from '../support/is-alive.js';
import { type Bench, bench } from './coding-context.js';

let b: Bench;
beforeEach(() => {
  b = bench([BashTool, TaskOutputTool, TaskStopTool, ReadTool]);
});
afterEach(() => b.close());

const bash = (command: string, more: object = {}) => b.call(BashTool, { command, ...more });
/** Milliseconds that a thing takes; generous bounds only, against waits for ever. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work, performance.now() - began];
}
const pidsIn = (text: string) => [...text.matchAll(/pid=(\d+)/g)].map((match) => Number(match[1]));

describe('a command', () => {
  test('gives its output, stdout and stderr also apart', async () => {
    const result = await bash('echo out; echo err >&2');
    expect(result).toMatchObject({
      ok: true,
      data: { stdout: 'out\n', stderr: 'err\n', interrupted: false, exitCode: 0 },
    });
    expect(result.text).toMatch(/out\n|err\n/);
  });

  test('that fails is a failed call with its code and output', async () => {
    expect(await bash('echo why; exit 3')).toMatchObject({ ok: false, text: 'Exit code 3\nwhy\n' });
    expect(await bash('kill -9 $$')).toMatchObject({ ok: false, text: expect.stringContaining('SIGKILL') });
  });

  test('that says nothing gives (no output)', async () => {
    expect(await bash('true')).toMatchObject({ ok: true, text: '(no output)' });
  });

  test('runs in the working folder, each in a new shell, in the environment of the session', async () => {
    expect((await bash('pwd; cd /; X=1')).text).toBe(`${b.root}\n`);
    expect((await bash('pwd; echo "X=$X"; echo $HOME')).text).toBe(`${b.root}\nX=\n${b.root}\n`);
  });

  test('characters that come in two pieces are put together', async () => {
    expect((await bash("printf '\\xe2\\x82'; sleep 0.1; printf '\\xac'")).text).toBe('€');
  });
});

test('B75 long output shows start and end, and the whole lies in a file that Read opens', async () => {
  const { text, data } = await bash('for i in $(seq 1 20000); do echo "line $i"; done');
  expect(text.length).toBeLessThan(31_000);
  expect(text).toMatch(/^line 1\n[\s\S]*characters left out here[\s\S]*line 20000\n$/);
  const path = (data as BashOutput).persistedOutputPath ?? '';
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(20_001);
  expect(await b.call(ReadTool, { file_path: path, offset: 10_000, limit: 1 })).toMatchObject({
    ok: true,
    text: expect.stringContaining('10000\tline 10000'),
  });
});

describe('B105 a child that holds the output open does not hold the call', () => {
  test.each([
    'sleep 60 & echo done',
    '(while :; do echo x; sleep 0.1; done) & echo done',
    'setsid sleep 60 & echo done',
  ])('%s', async (command) => {
    const [result, ms] = await timed(bash(command));
    expect(ms).toBeLessThan(10_000);
    expect(result.ok).toBe(true);
    expect(result.text).toContain('done');
    const length = result.text.length;
    await sleep(300);
    expect(result.text.length).toBe(length);
  });

  test('what was left running is ended with the session, children of other groups too', async () => {
    const { text } = await bash(
      'sleep 60 & echo pid=$!; setsid sleep 60 & sleep 0.2; pgrep -n -x sleep | sed s/^/pid=/',
    );
    const pids = pidsIn(text);
    expect(pids).toHaveLength(2);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await b.jobs.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
  });
});

describe('B106 the end of a command is the end of all its children', () => {
  test.each([
    'echo pid=$$; sleep 300 | cat',
    '(sleep 300 & echo pid=$!) ; sleep 300',
    "trap '' TERM; echo pid=$$; while :; do sleep 1; done",
  ])('at its time limit: %s', async (command) => {
    const [result, ms] = await timed(bash(command, { timeout: 500 }));
    expect(ms).toBeLessThan(10_000);
    expect(result.ok).toBe(false);
    expect(result.text).toMatch(/timed out after 0.5 s[\s\S]*pid=/);
    expect(result.data).toMatchObject({ interrupted: true, timedOutAfterMs: 500 });
    const pids = pidsIn(result.text);
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.map(isAlive)).toEqual(pids.map(() => false));
  });

  test('at an interrupt', async () => {
    setTimeout(() => b.abort(), 400);
    const result = await bash('(sleep 300 & echo pid=$!) ; sleep 300');
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('interrupted') });
    expect(pidsIn(result.text).map(isAlive)).toEqual([false]);
  });
});

describe('B108 nothing waits for a person', () => {
  test.each<[string, RegExp]>([
    ['read x; echo "got $x"', /got/],
    ['cat; echo end', /end/],
    ['head -c1 /dev/tty', /tty/],
    ['git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty', /editor|empty/i],
    ['test -t 0 && echo terminal || echo none', /none/],
  ])('%s ends at once', async (command, says) => {
    const [result, ms] = await timed(bash(command));
    expect(ms).toBeLessThan(10_000);
    expect(result.text).toMatch(says);
  });

  test('a command that seems to have asked is told a way without', async () => {
    expect((await bash('echo "Overwrite? [y/N]"; exit 1')).text).toMatch(/non-interactive flag/);
  });
});

describe('background commands', () => {
  test('run on, are shown by TaskOutput and ended by TaskStop, under its old names too', async () => {
    const started = await bash('echo begun; sleep 60', { run_in_background: true });
    const id = (started.data as BashOutput).backgroundTaskId ?? '';
    expect(started.text).toContain(id);
    await sleep(200);
    expect(await b.call(TaskOutputTool, { task_id: id, block: false })).toMatchObject({
      ok: true,
      text: expect.stringMatching(/is running\.[\s\S]*begun/),
      data: { retrieval_status: 'not_ready', task: { status: 'running' } },
    });
    expect(await b.call({ ...TaskStopTool, name: 'TaskStop' }, { shell_id: id })).toMatchObject({
      ok: true,
      data: { task_id: id, task_type: 'local_bash', command: 'echo begun; sleep 60' },
    });
    expect(await b.call(TaskOutputTool, { task_id: id })).toMatchObject({
      data: { task: { status: 'stopped' } },
    });
    expect(await b.call(TaskStopTool, { task_id: id })).toMatchObject({
      ok: false,
      text: expect.stringContaining('ended already'),
    });
  });

  test('TaskOutput waits for the end, within its limit', async () => {
    const { data } = await bash('sleep 0.3; echo finished; exit 4', { run_in_background: true });
    const task_id = (data as BashOutput).backgroundTaskId;
    expect(await b.call(TaskOutputTool, { task_id, timeout: 10 })).toMatchObject({
      data: { retrieval_status: 'timeout' },
    });
    expect(await b.call(TaskOutputTool, { task_id })).toMatchObject({
      data: { retrieval_status: 'success', task: { status: 'failed', exitCode: 4, output: 'finished\n' } },
    });
  });

  test('an unknown id is an error that names the known ones', async () => {
    expect(await b.call(TaskOutputTool, { task_id: 'b0' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('Known: none'),
    });
    expect(await b.call(TaskStopTool, {})).toMatchObject({
      ok: false,
      text: expect.stringContaining('task_id'),
    });
  });

  test.each([
    'yes',
    // Reads what it wrote itself, and so never comes to an end.
    'echo seed; until [ -f path ]; do sleep 0.05; done; tail -c +1 -f "$(cat path)"',
  ])('B109 output without end stops at the cap, and the command with it: %s', async (command) => {
    const request = {
      command,
      cwd: b.root,
      env: { PATH: process.env.PATH },
      keep: 1000,
      outputLimit: 100_000,
    };
    const job = b.jobs.start({ ...request, files: new OutputFiles(b.root) });
    b.write('path', job.outputPath ?? '');
    await b.jobs.waitFor(job.id, 20_000, new AbortController().signal);
    expect(b.jobs.get(job.id)).toMatchObject({ status: 'failed', endedBy: 'output_limit' });
    expect(statSync(job.outputPath ?? '').size).toBeLessThan(300_000);
    expect(b.jobs.newestOutput(job.id, 200)).toContain('reached 100000 bytes');
  });
});
