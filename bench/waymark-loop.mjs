// The same job through query(), planning and all.

import { z } from 'zod';
import { createSdkMcpServer, query, tool } from '../dist/index.js';
import { printSpent } from './spent.mjs';

const noop = tool('noop', 'Does nothing.', { text: z.string() }, () => ({
  content: [{ type: 'text', text: `ok ${'x'.repeat(200)}` }],
}));
let began;
for await (const message of query({
  prompt: 'Go.',
  options: {
    model: 'bench',
    mcpServers: { bench: createSdkMcpServer({ name: 'bench', tools: [noop] }) },
    allowedTools: ['mcp__bench'],
    tools: process.env.BENCH_TOOLS === 'all' ? undefined : [],
  },
})) {
  if (message.type === 'assistant') began ??= process.cpuUsage();
}
printSpent(began);
