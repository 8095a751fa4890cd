// The floor: the plainest loop on the client itself, streaming, with one tool that does nothing.

import Anthropic from '@anthropic-ai/sdk';
import { printSpent } from './spent.mjs';

const client = new Anthropic();
const tools = [
  {
    name: 'mcp__bench__noop',
    description: 'Does nothing.',
    input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
];
const messages = [{ role: 'user', content: 'Go.' }];
let began;
for (;;) {
  const stream = client.messages.stream({ model: 'bench', max_tokens: 32_000, messages, tools });
  const answer = await stream.finalMessage();
  began ??= process.cpuUsage();
  messages.push({ role: 'assistant', content: answer.content });
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;
  messages.push({
    role: 'user',
    content: calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: `ok ${'x'.repeat(200)}`,
    })),
  });
}
printSpent(began);
