import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, sandbox, start } from '../../support/cli-process.js';

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
});
afterAll(() => box.remove());

const LOOK = `
  const look = () => JSON.stringify({
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    resources: process.getActiveResourcesInfo().filter((name) => !/FSReq|Promise|Close/.test(name)),
    // zod keeps its settings where every copy of it finds them.
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__zod')),
    env: Object.keys(process.env),
    cwd: process.cwd(),
  });
  const before = look();
  await import(process.argv[1]);
  const after = look();
  process.stdout.write(JSON.stringify([before, after]));
`;

test.each(['index', 'testing/index'])('importing %s changes nothing in the process', async (entry) => {
  const url = new URL(`../../../dist/${entry}.js`, import.meta.url);
  const run = start(box, ['--input-type=module', '-e', LOOK, fileURLToPath(url)], {
    program: process.execPath,
  });
  const { code, stdout, stderr } = await run.ended;
  expect([code, stderr]).toEqual([0, '']);
  const [before, after]: string[] = JSON.parse(stdout);
  expect(after).toBe(before);
});
