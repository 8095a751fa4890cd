import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, type Sandbox, sandbox, shell, start } from '../../support/cli-process.js';

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
});
afterAll(() => box.remove());

const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
const { version } = manifest as { version: string };

test('--version answers with the version of the package and loads nothing else', async () => {
  const { code, stdout } = await start(box, ['--version']).ended;
  expect([code, stdout]).toEqual([0, `${version}\n`]);
  // Every file that is loaded is opened by the loader, and the variable makes Node name them.
  const loads = async (flag: string) => {
    const traced = await shell(
      box,
      `NODE_DEBUG=esm "$NODE" "$WAYMARK" ${flag} 2>&1 | grep -c "chunks/run-" || true`,
    ).ended;
    return Number(traced.stdout);
  };
  expect(await loads('--version')).toBe(0);
  expect(await loads('--help')).toBeGreaterThan(0);
});

test('--help names the exit codes and goes to stdout', async () => {
  const { code, stdout, stderr } = await start(box, ['--help']).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Exit codes');
});

describe('B94 wrong usage is exit 2, named on stderr in one line, with nothing on stdout', () => {
  test.each<[string[], RegExp]>([
    [['-p', 'hi', '--modle', 'opus'], /unknown option '--modle'.*--model/],
    [['-p', 'hi', '--resume', 'x'], /--resume is not supported/],
    [['-p', '   '], /the prompt is empty/],
    [['-p', 'hi', '--max-turns', 'x'], /--max-turns/],
    [['demo', '--planning', 'off'], /--planning/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await start(box, args).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('stdin beyond 10 MB is refused with its limit', async () => {
    const { code, stdout, stderr } = await start(box, ['-p', 'hi'], {
      stdin: Buffer.alloc(11 * 1024 * 1024, 'x'),
    }).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/longer than 10 MB/);
  });
});

describe('B97 no interactive session is begun, with or without a terminal', () => {
  test.each<[string, string]>([
    ['nothing on stdin', '"$NODE" "$WAYMARK" </dev/null'],
    ['stdin closed', '"$NODE" "$WAYMARK" <&-'],
    ['stdout closed', 'echo | "$NODE" "$WAYMARK" >&-'],
    ['stdin is a folder', '"$NODE" "$WAYMARK" -p </'],
    // `script` gives the command a real terminal.
    ['stdin and stdout are a terminal', `script -qec '"$NODE" "$WAYMARK"' /dev/null </dev/null`],
    ['only stdin is a terminal', `script -qec '"$NODE" "$WAYMARK" >/dev/null' /dev/null </dev/null`],
    ['-p at a terminal without a prompt', `script -qec '"$NODE" "$WAYMARK" -p' /dev/null </dev/null`],
  ])('%s: exit 2 and one line without a stack', async (_name, line) => {
    const { code, stdout, stderr } = await shell(box, line).ended;
    const said = `${stdout}${stderr}`.trim();
    expect(code).toBe(2);
    expect(said).toMatch(/^waymark: [^\n]+$/);
    expect(said).not.toMatch(/\bat .*\.js|Error:/);
  });
});

test('without a key: exit 5 and three lines on stderr, and a reader of JSON gets its result', async () => {
  const text = await start(box, ['-p', 'hi']).ended;
  expect([text.code, text.stdout]).toEqual([5, '']);
  expect(text.stderr.trimEnd().split('\n')).toHaveLength(3);
  const json = await start(box, ['-p', 'hi', '--output-format', 'json']).ended;
  expect(json.code).toBe(5);
  expect(JSON.parse(json.stdout)).toMatchObject({ type: 'result', is_error: true, num_turns: 0 });
});

test('the file of the command is named by the package and can be run as it is', () => {
  expect(readFileSync(CLI, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
});
