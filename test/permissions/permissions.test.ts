import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Permissions } from '../../src/permissions/permissions.js';
import type { PermissionResult } from '../../src/protocol/permissions.js';
import { defineTool } from '../../src/tool.js';
import { createToolContext } from '../../src/tool-context.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-permissions-')));
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-outside-')));
symlinkSync(outside, join(root, 'way-out'));
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
});

const editor = defineTool({
  name: 'Edit',
  description: '',
  inputSchema: z.object({ path: z.string() }),
  access: ({ path }) => ({ kind: 'edit', path }),
  call: async () => ({ data: null, content: 'ok' }),
});
const context = {
  ...createToolContext({ cwd: root, env: {} }),
  toolUseId: 't1',
  signal: new AbortController().signal,
};

function permissions(fields: Partial<ConstructorParameters<typeof Permissions>[0]> = {}) {
  const notices: string[] = [];
  const made = new Permissions({
    mode: 'default',
    allowedTools: [],
    disallowedTools: [],
    canUseTool: undefined,
    notice: (text) => notices.push(text),
    ...fields,
  });
  return { notices, check: (path = 'a') => made.check(editor, { path }, context, undefined) };
}

test('nobody to ask is a denial that says so', async () => {
  expect(await permissions().check()).toMatchObject({ allowed: false, by: 'nobody', interrupt: false });
});

test('the person is told the tool, a copy of the input, the place and why', async () => {
  const asked: unknown[] = [];
  const { check } = permissions({
    canUseTool: (name, input, options) => {
      asked.push([
        name,
        { ...input },
        options.blockedPath,
        options.toolUseID,
        options.decisionReason,
        options.suggestions,
      ]);
      input.path = 'changed';
      return { behavior: 'allow' };
    },
  });
  expect(await check()).toEqual({ allowed: true });
  expect(asked).toEqual([
    [
      'Edit',
      { path: 'a' },
      join(root, 'a'),
      't1',
      expect.stringContaining('Edit'),
      [{ type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'session' }],
    ],
  ]);
});

test('a link out of the working folders is outside', async () => {
  const { check } = permissions({ mode: 'acceptEdits' });
  expect(await check('inside.txt')).toEqual({ allowed: true });
  expect(await check('way-out/file.txt')).toMatchObject({ allowed: false });
  expect(await check('../x')).toMatchObject({ allowed: false });
});

describe('what an approval changes', () => {
  const allowing = (updatedPermissions: unknown) => {
    let asked = 0;
    const made = permissions({
      canUseTool: () => {
        asked += 1;
        return { behavior: 'allow', updatedPermissions } as PermissionResult;
      },
    });
    return { ...made, asked: () => asked };
  };
  const rule = { toolName: 'Edit' };

  test('a rule added for the session is not asked for again', async () => {
    const made = allowing([{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' }]);
    await made.check();
    await made.check();
    expect(made.asked()).toBe(1);
  });

  test('a mode', async () => {
    const made = allowing([{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]);
    await made.check();
    await made.check();
    expect(made.asked()).toBe(1);
  });

  test('rules replaced and removed', async () => {
    const made = allowing([
      { type: 'addRules', rules: [rule], behavior: 'deny', destination: 'session' },
      { type: 'replaceRules', rules: [], behavior: 'deny', destination: 'session' },
      { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' },
      { type: 'removeRules', rules: [rule], behavior: 'allow', destination: 'session' },
    ]);
    await made.check();
    await made.check();
    expect(made.asked()).toBe(2);
  });

  test('what is not kept beyond the session, or not supported, is told', async () => {
    const made = allowing([
      { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'projectSettings' },
      { type: 'addDirectories', directories: ['/x'], destination: 'session' },
    ]);
    await made.check();
    expect(made.notices).toEqual([
      expect.stringContaining('projectSettings'),
      expect.stringContaining('addDirectories'),
    ]);
  });

  test('junk among it is a denial, and nothing of it counts', async () => {
    const made = allowing([{ type: 'addRules', rules: 'all', behavior: 'allow', destination: 'session' }]);
    expect(await made.check()).toMatchObject({ allowed: false });
  });
});

test('a rule that cannot be read is refused at once', () => {
  expect(() => permissions({ allowedTools: ['Bash('] })).toThrow(/Not a permission rule/);
});
