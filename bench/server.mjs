// The least server that speaks the Messages API: a tool call for each request, then an end. It notes when requests came.
import { createServer } from 'node:http';

/** Starts it on a free port. `arrivals` gives the times of the run that has the given key, in ms. */
export async function startBenchServer(turns) {
  const runs = new Map();
  const server = createServer((request, response) => {
    const key = String(request.headers.authorization ?? request.headers['x-api-key']);
    const arrivals = runs.get(key) ?? [];
    runs.set(key, arrivals);
    arrivals.push(performance.timeOrigin + performance.now());
    const index = arrivals.length;
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${index}` });
      response.end(index <= turns ? toolCall(index) : lastWord());
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    arrivals: (key) => runs.get(`Bearer ${key}`) ?? runs.get(key) ?? [],
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

function events(list) {
  return list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function envelope(blocks, stopReason) {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const message = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return events([
    { type: 'message_start', message },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ]);
}

function textBlock(index, text) {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...text
      .match(/.{1,40}/g)
      .map((piece) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } })),
    { type: 'content_block_stop', index },
  ];
}

function toolCall(turn) {
  const input = JSON.stringify({ text: `turn ${turn} of a run that is measured` });
  return envelope(
    [
      ...textBlock(
        0,
        `I look at the next file now, it is number ${turn}, and then I go on with the one behind it.`,
      ),
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: `toolu_${turn}`, name: 'mcp__bench__noop', input: {} },
      },
      ...input.match(/.{1,24}/g).map((piece) => ({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: piece },
      })),
      { type: 'content_block_stop', index: 1 },
    ],
    'tool_use',
  );
}

function lastWord() {
  return envelope(textBlock(0, 'Done.'), 'end_turn');
}
