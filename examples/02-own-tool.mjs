// A tool of your own: a function with a zod shape, offered to the model through an in-process server.
import assert from 'node:assert/strict';
import { createSdkMcpServer, query, tool } from 'waymark';
import { answer, startMessagesServer } from 'waymark/testing';
import { z } from 'zod';

const asked = [];
const weather = createSdkMcpServer({
  name: 'weather',
  tools: [
    tool(
      'forecast',
      'The forecast for a town.',
      { town: z.string() },
      async ({ town }) => {
        asked.push(town);
        return { content: [{ type: 'text', text: `Rain in ${town}` }] };
      },
      { annotations: { readOnlyHint: true } },
    ),
  ],
});

const server = await startMessagesServer({
  steps: [
    answer({ toolUses: [{ name: 'mcp__weather__forecast', input: { town: 'Bern' } }] }),
    answer({ text: 'Take an umbrella.' }),
  ],
});
const options = {
  env: { ...process.env, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.url },
  mcpServers: { weather },
  allowedTools: ['mcp__weather__forecast'],
  tools: [],
};
let result;
for await (const message of query({ prompt: 'Umbrella in Bern?', options })) {
  if (message.type === 'result') result = message;
}
await server.close();

assert.deepEqual(asked, ['Bern']);
assert.equal(result.result, 'Take an umbrella.');
const [offered] = server.requests[0].body.tools;
assert.equal(offered.name, 'mcp__weather__forecast');
assert.ok('town' in offered.input_schema.properties);
assert.match(JSON.stringify(server.requests[1].body.messages), /Rain in Bern/);
server.assertDone();
