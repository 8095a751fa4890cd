import { checkBlocks, isBlankText } from './validate-blocks.js';
import { isRecord, textOf } from './wire-value.js';

export interface ValidationContext {
  /** Thinking that was given out: signature to text. When it holds any, no other thinking may come back. */
  issuedThinking?: ReadonlyMap<string, string> | undefined;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_CACHE_MARKS = 4;

/**
 * What the Messages API would refuse about a request body, a line for each fault, each with its path
 * (`messages.2.content.0: …`). Empty when the request is fine. Pure.
 */
export function validateMessagesRequest(body: unknown, context: ValidationContext = {}): string[] {
  if (!isRecord(body)) return ['the body must be a JSON object'];
  const found: string[] = [];
  if (typeof body.model !== 'string' || body.model === '') found.push('model: Field required');
  if (body.max_tokens === undefined) found.push('max_tokens: Field required');
  else if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) {
    found.push('max_tokens: must be a whole number of at least 1');
  }
  found.push(...checkSystem(body.system), ...checkTools(body.tools));
  found.push(...checkMessages(body.messages, context), ...checkCacheMarks(body));
  return found;
}

function checkSystem(system: unknown): string[] {
  if (system === undefined) return [];
  if (typeof system === 'string') return isBlankText(system) ? ['system: text must not be empty'] : [];
  if (!Array.isArray(system)) return ['system: must be a text or a list of text blocks'];
  return system.flatMap((block: unknown, index) => {
    if (!isRecord(block) || block.type !== 'text' || typeof block.text !== 'string') {
      return [`system.${index}: must be a text block`];
    }
    return isBlankText(block.text) ? [`system.${index}.text: text blocks must be non-empty`] : [];
  });
}

function checkTools(tools: unknown): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return ['tools: must be a list'];
  const names = new Set<string>();
  return tools.flatMap((tool: unknown, index) => {
    const path = `tools.${index}`;
    if (!isRecord(tool)) return [`${path}: must be an object`];
    const found: string[] = [];
    const name = textOf(tool.name);
    if (!TOOL_NAME.test(name))
      found.push(`${path}.name: ${JSON.stringify(name)} must match ${TOOL_NAME.source}`);
    if (names.has(name)) found.push(`tools: Tool names must be unique, ${name} comes twice`);
    names.add(name);
    // Tools that the service runs itself have a versioned type and no schema.
    const isServerTool = typeof tool.type === 'string' && tool.type !== 'custom';
    if (!isServerTool) found.push(...checkSchemaRoot(tool.input_schema, `${path}.input_schema`));
    return found;
  });
}

function checkSchemaRoot(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [`${path}: Field required`];
  const found = schema.type === 'object' ? [] : [`${path}.type: must be "object"`];
  for (const word of ['oneOf', 'anyOf', 'allOf']) {
    if (word in schema) found.push(`${path}: ${word} is not supported at the top level`);
  }
  return found;
}

function checkMessages(messages: unknown, context: ValidationContext): string[] {
  if (!Array.isArray(messages) || messages.length === 0)
    return ['messages: at least one message is required'];
  const found: string[] = [];
  if (!isRecord(messages[0]) || messages[0].role !== 'user') {
    found.push('messages: first message must use the "user" role');
  }
  const callIds = new Set<string>();
  messages.forEach((message: unknown, index) => {
    const path = `messages.${index}`;
    if (!isRecord(message) || (message.role !== 'user' && message.role !== 'assistant')) {
      found.push(`${path}.role: must be "user" or "assistant"`);
      return;
    }
    const isFinalAnswer = index === messages.length - 1 && message.role === 'assistant';
    found.push(...checkContent(message.content, path, isFinalAnswer));
    found.push(...checkBlocks(message.content, message.role, `${path}.content`, context.issuedThinking));
    found.push(...checkPairing(message, messages[index - 1], messages[index + 1], path));
    for (const id of idsOf(message.content, 'tool_use', 'id')) {
      if (callIds.has(id)) found.push(`${path}: \`tool_use\` ids must be unique, ${id} comes twice`);
      callIds.add(id);
    }
  });
  return found;
}

function checkContent(content: unknown, path: string, isFinalAnswer: boolean): string[] {
  if (typeof content !== 'string' && !Array.isArray(content)) return [`${path}.content: Field required`];
  if (content.length === 0) {
    return isFinalAnswer
      ? []
      : [`${path}: all messages must have non-empty content except the final assistant one`];
  }
  return typeof content === 'string' && isBlankText(content)
    ? [`${path}.content: text must contain non-whitespace text`]
    : [];
}

/** Every call is answered in the next message, each once, before anything else; and nothing else is answered. */
function checkPairing(
  message: Record<string, unknown>,
  before: unknown,
  after: unknown,
  path: string,
): string[] {
  const found: string[] = [];
  if (message.role === 'assistant') {
    const calls = idsOf(message.content, 'tool_use', 'id');
    const next = isRecord(after) && after.role === 'user' ? after.content : undefined;
    const results = idsOf(next, 'tool_result', 'tool_use_id');
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      found.push(
        `${path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`,
      );
    }
    return found;
  }
  const calls =
    isRecord(before) && before.role === 'assistant' ? idsOf(before.content, 'tool_use', 'id') : [];
  const results = idsOf(message.content, 'tool_result', 'tool_use_id');
  for (const id of new Set(results)) {
    if (!calls.includes(id)) {
      found.push(
        `${path}: unexpected \`tool_use_id\` in \`tool_result\`: ${id} is not in the message before`,
      );
    }
    const times = results.filter((other) => other === id).length;
    if (times > 1) found.push(`${path}: each tool_use must have a single result, ${id} has ${times}`);
  }
  const types = Array.isArray(message.content)
    ? message.content.map((block: unknown) => (isRecord(block) ? block.type : undefined))
    : [];
  const lastResult = types.lastIndexOf('tool_result');
  if (types.slice(0, lastResult + 1).some((type) => type !== 'tool_result')) {
    found.push(`${path}: \`tool_result\` blocks must come before any other content`);
  }
  return found;
}

function idsOf(content: unknown, type: string, key: string): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isRecord(block) && block.type === type ? [textOf(block[key])] : [],
  );
}

function checkCacheMarks(body: Record<string, unknown>): string[] {
  const found: string[] = [];
  let marks = 0;
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      value.forEach((inner, index) => {
        visit(inner, `${path}.${index}`);
      });
      return;
    }
    if (!isRecord(value)) return;
    if (value.cache_control !== undefined && value.cache_control !== null) {
      marks += 1;
      if (!isRecord(value.cache_control) || value.cache_control.type !== 'ephemeral') {
        found.push(`${path}.cache_control.type: must be "ephemeral"`);
      }
      if (value.type === 'thinking' || value.type === 'redacted_thinking') {
        found.push(`${path}.cache_control: not allowed on ${value.type} blocks`);
      }
      if (value.type === 'text' && isBlankText(value.text)) {
        found.push(`${path}.cache_control: cannot be set for empty text blocks`);
      }
    }
    if (Array.isArray(value.content)) visit(value.content, `${path}.content`);
  };
  visit(body.tools, 'tools');
  visit(body.system, 'system');
  visit(body.messages, 'messages');
  if (marks > MOST_CACHE_MARKS) {
    found.push(`A maximum of ${MOST_CACHE_MARKS} blocks with cache_control may be provided. Found ${marks}.`);
  }
  return found;
}
