import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { builtinTools } from '../../src/registry.js';
import { validateMessagesRequest } from '../../src/testing/index.js';
import { dispatcher } from '../support/dispatch.js';

const root = mkdtempSync(join(tmpdir(), 'waymark-input-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const tools = [
  ...new Map([...builtinTools('todo'), ...builtinTools('tasks')].map((tool) => [tool.name, tool])).values(),
];
const parts = dispatcher({
  tools,
  // Any text may come as a command or a path: nothing that executes or writes may really run.
  mode: 'default',
  context: {
    cwd: root,
    env: { PATH: '/nonexistent', HOME: root, CLAUDE_CONFIG_DIR: root },
    planning: 'tasks',
  },
});
afterAll(async () => {
  await parts.context.jobs.close();
  await parts.context.tasks.close();
});

/** Keys that tools know, with any value, beside keys that nobody knows. */
function inputFor(keys: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('1', 'pending', 'completed', '__proto__', '../..'),
  );
  const known = fc.dictionary(fc.constantFrom('__proto__', 'x', ...keys), value, { maxKeys: 5 });
  return fc.oneof(fc.jsonValue({ maxDepth: 3 }), known);
}

describe('any JSON as the input of a tool gives one result that the API takes, never a throw', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    const shape: unknown = 'shape' in tool.inputSchema ? tool.inputSchema.shape : {};
    const keys = Object.keys(shape as object);
    await fc.assert(
      fc.asyncProperty(inputFor(keys), async (input) => {
        const [result, ...more] = await parts.run([name, input]);
        expect(more).toEqual([]);
        const body = {
          model: 'm',
          max_tokens: 1,
          messages: [
            { role: 'user', content: 'x' },
            { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name, input: {} }] },
            { role: 'user', content: [result?.result] },
          ],
        };
        expect(validateMessagesRequest(body)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
