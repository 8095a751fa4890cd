// Who decides what runs: a hook that protects a file, and a callback that stands for the person.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from 'waymark';
import { answer, startMessagesServer } from 'waymark/testing';

const cwd = mkdtempSync(join(tmpdir(), 'waymark-example-'));
const server = await startMessagesServer({
  steps: [
    answer({ toolUses: [{ name: 'Write', input: { file_path: 'app.lock', content: 'x' } }] }),
    answer({ toolUses: [{ name: 'Write', input: { file_path: 'notes.txt', content: 'hello\n' } }] }),
    answer({ toolUses: [{ name: 'Bash', input: { command: 'touch made-by-shell' } }] }),
    answer({ text: 'Wrote the notes.' }),
  ],
});

const questions = [];
const options = {
  cwd,
  env: { ...process.env, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.url },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Edit|Write',
        hooks: [
          (input) =>
            input.tool_input.file_path.endsWith('.lock')
              ? { decision: 'block', reason: 'Lock files are made by the package manager.' }
              : {},
        ],
      },
    ],
  },
  canUseTool: (toolName) => {
    questions.push(toolName);
    return toolName === 'Write' ? { behavior: 'allow' } : { behavior: 'deny', message: 'No shell today.' };
  },
};
let result;
for await (const message of query({ prompt: 'Write the notes.', options })) {
  if (message.type === 'result') result = message;
}
await server.close();

assert.deepEqual(questions, ['Write', 'Bash']);
assert.equal(existsSync(join(cwd, 'app.lock')), false);
assert.equal(existsSync(join(cwd, 'made-by-shell')), false);
assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'hello\n');
assert.deepEqual(
  result.permission_denials.map((denial) => [denial.tool_name, denial.denied_by]),
  [
    ['Write', 'hook'],
    ['Bash', 'person'],
  ],
);
assert.match(JSON.stringify(server.requests[1].body.messages), /package manager/);
server.assertDone();
rmSync(cwd, { recursive: true, force: true });
