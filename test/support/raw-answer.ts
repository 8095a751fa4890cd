/** The first event of a streamed answer, for streams that are written by hand. */
export const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** A whole answer of one call with the id `a`, its input in these pieces. */
export function callEvents(name: string, pieces: readonly string[]): object[] {
  return [
    messageStart,
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name, input: {} } },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ];
}

/** An answer whose text was begun and not finished. */
export function halfText(text: string): object[] {
  return [
    messageStart,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ];
}
