import { isRecord, textOf } from './wire-value.js';

type Role = 'user' | 'assistant';

/** Where a block type may stand. Blocks that the service itself makes come back with the assistant's turn. */
const BLOCK_ROLES: Readonly<Record<string, readonly Role[]>> = {
  text: ['user', 'assistant'],
  image: ['user'],
  document: ['user'],
  search_result: ['user'],
  container_upload: ['user'],
  tool_result: ['user'],
  tool_use: ['assistant'],
  thinking: ['assistant'],
  redacted_thinking: ['assistant'],
  server_tool_use: ['assistant'],
};
const RESULT_PARTS = ['text', 'image', 'document', 'search_result', 'tool_reference'];
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
/** Characters of base64. */
const LARGEST_IMAGE = 5 * 1024 * 1024;
const ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

export function isBlankText(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

/** Faults of the blocks of one message; a content that is a text has none. */
export function checkBlocks(
  content: unknown,
  role: Role,
  path: string,
  issuedThinking?: ReadonlyMap<string, string>,
): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown, index) =>
    checkBlock(block, role, `${path}.${index}`, issuedThinking),
  );
}

function checkBlock(
  block: unknown,
  role: Role,
  path: string,
  issuedThinking?: ReadonlyMap<string, string>,
): string[] {
  if (!isRecord(block) || typeof block.type !== 'string') return [`${path}.type: Field required`];
  const isServerResult = block.type.endsWith('_tool_result');
  const roles = BLOCK_ROLES[block.type] ?? (isServerResult ? (['assistant'] as const) : undefined);
  if (!roles) return [`${path}: Input tag '${block.type}' is not a known block type`];
  if (!roles.includes(role)) return [`${path}: \`${block.type}\` blocks are not allowed in ${role} messages`];
  switch (block.type) {
    case 'text':
      return checkText(block, path);
    case 'image':
      return checkImage(block, path);
    case 'tool_use':
      return checkToolUse(block, path);
    case 'tool_result':
      return checkToolResult(block, path);
    case 'thinking':
      return checkThinking(block, path, issuedThinking);
    default:
      return [];
  }
}

function checkText(block: Record<string, unknown>, path: string): string[] {
  if (block.text === '') return [`${path}.text: text content blocks must be non-empty`];
  return isBlankText(block.text)
    ? [`${path}.text: text content blocks must contain non-whitespace text`]
    : [];
}

function checkImage(block: Record<string, unknown>, path: string): string[] {
  const source = block.source;
  if (!isRecord(source)) return [`${path}.source: Field required`];
  if (source.type !== 'base64') return [];
  if (typeof source.data !== 'string' || source.data === '') {
    return [`${path}.source.data: image must not be empty`];
  }
  const found: string[] = [];
  if (!IMAGE_TYPES.includes(String(source.media_type))) {
    found.push(`${path}.source.media_type: must be one of ${IMAGE_TYPES.join(', ')}`);
  }
  if (source.data.length > LARGEST_IMAGE) {
    found.push(
      `${path}.source: image exceeds 5 MB maximum: ${source.data.length} bytes > ${LARGEST_IMAGE} bytes`,
    );
  }
  return found;
}

function checkToolUse(block: Record<string, unknown>, path: string): string[] {
  const found: string[] = [];
  if (!ID.test(textOf(block.id))) found.push(`${path}.id: must match ${ID.source}`);
  if (!TOOL_NAME.test(textOf(block.name))) found.push(`${path}.name: must match ${TOOL_NAME.source}`);
  if (!isRecord(block.input)) found.push(`${path}.input: Input should be a valid dictionary`);
  return found;
}

function checkToolResult(block: Record<string, unknown>, path: string): string[] {
  const found: string[] = [];
  if (typeof block.tool_use_id !== 'string' || !ID.test(block.tool_use_id)) {
    found.push(`${path}.tool_use_id: must match ${ID.source}`);
  }
  const { content } = block;
  const isEmpty = content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
  if (isEmpty && block.is_error === true) {
    found.push(`${path}: content cannot be empty if \`is_error\` is true`);
  }
  if (!Array.isArray(content)) return found;
  content.forEach((part: unknown, index) => {
    const partPath = `${path}.content.${index}`;
    if (!isRecord(part) || !RESULT_PARTS.includes(String(part.type))) {
      found.push(`${partPath}: must be one of ${RESULT_PARTS.join(', ')}`);
    } else if (part.type === 'text') found.push(...checkText(part, partPath));
    else if (part.type === 'image') found.push(...checkImage(part, partPath));
  });
  return found;
}

function checkThinking(
  block: Record<string, unknown>,
  path: string,
  issuedThinking?: ReadonlyMap<string, string>,
): string[] {
  const { signature, thinking } = block;
  if (typeof signature !== 'string' || signature === '') return [`${path}.signature: Field required`];
  if (!issuedThinking || issuedThinking.size === 0) return [];
  if (!issuedThinking.has(signature)) return [`${path}: Invalid \`signature\` in \`thinking\` block`];
  return issuedThinking.get(signature) === thinking
    ? []
    : [`${path}: \`thinking\` blocks cannot be modified, they must be sent back as they came`];
}
