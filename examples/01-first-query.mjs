// A first query: the model writes a todo list, works it off, and this program watches the plan.
// Here a local server with scripted answers stands in for the model; with a key, leave it out.
import assert from 'node:assert/strict';
import { query } from 'waymark';
import { answer, startMessagesServer } from 'waymark/testing';

const todo = (content, status) => ({ content, status, activeForm: `${content} …` });
const server = await startMessagesServer({
  steps: [
    answer({
      toolUses: [
        { name: 'TodoWrite', input: { todos: [todo('Read', 'in_progress'), todo('Report', 'pending')] } },
      ],
    }),
    answer({
      toolUses: [
        { name: 'TodoWrite', input: { todos: [todo('Read', 'completed'), todo('Report', 'in_progress')] } },
      ],
    }),
    answer({ text: 'There is nothing to do.' }),
  ],
});

const seen = [];
let result;
const options = { env: { ...process.env, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.url } };
for await (const message of query({ prompt: 'Look around and report.', options })) {
  if (message.type === 'user' && message.tool_use_result?.newTodos) {
    seen.push(message.tool_use_result.newTodos.map((item) => item.status).join(' '));
  }
  if (message.type === 'result') result = message;
}
await server.close();

assert.deepEqual(seen, ['in_progress pending', 'completed in_progress']);
assert.equal(result.subtype, 'success');
assert.equal(result.result, 'There is nothing to do.');
assert.equal(result.num_turns, 3);
server.assertDone();
