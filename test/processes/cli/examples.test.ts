import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, sandbox, start } from '../../support/cli-process.js';

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'));

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
});
afterAll(() => box.remove());

test.each(names)('the example %s holds what it claims, without a key', async (name) => {
  const { code, stderr } = await start(box, [folder + name], { program: process.execPath }).ended;
  expect([code, stderr]).toEqual([0, '']);
});
