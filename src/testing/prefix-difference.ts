import { isRecord } from './wire-value.js';

/**
 * Whether a request keeps the prompt cache of the one before: model, system prompt and tools byte for byte the same,
 * and the earlier messages a strict prefix of the later ones. Cache marks are left aside, and a text stands for one
 * text block, as in the API. Gives the first difference in words, or undefined when the cache stays whole.
 */
export function prefixDifference(previousBody: unknown, nextBody: unknown): string | undefined {
  const previous = isRecord(previousBody) ? previousBody : {};
  const next = isRecord(nextBody) ? nextBody : {};
  for (const field of ['model', 'system', 'tools']) {
    const difference = firstDifference(withoutMarks(previous[field]), withoutMarks(next[field]), field);
    if (difference) return difference;
  }
  const before = Array.isArray(previous.messages) ? previous.messages : [];
  const after = Array.isArray(next.messages) ? next.messages : [];
  for (const [index, message] of before.entries()) {
    if (index >= after.length) break;
    const difference = firstDifference(
      withoutMarks(message),
      withoutMarks(after[index]),
      `messages.${index}`,
    );
    if (difference) return difference;
  }
  if (after.length > before.length) return undefined;
  return `messages: ${after.length} after ${before.length}, and nothing was added`;
}

/** The value without `cache_control` keys; a content that is a text becomes its one block. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'cache_control') continue;
    kept[key] =
      key === 'content' && typeof inner === 'string'
        ? [{ type: 'text', text: inner }]
        : // What a tool was called with is data: a key of that name there is no mark.
          key === 'input' || key === 'input_schema'
          ? inner
          : withoutMarks(inner);
  }
  return kept;
}

function firstDifference(before: unknown, after: unknown, path: string): string | undefined {
  // Compared as sent: the cache is keyed by bytes, so another order of keys is a difference too.
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const difference = firstDifference(before[index], after[index], `${path}.${index}`);
      if (difference) return difference;
    }
  }
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const difference = firstDifference(before[key], after[key], `${path}.${key}`);
      if (difference) return difference;
    }
    return `${path}: the same keys in another order`;
  }
  return `${path}: ${excerpt(before)} became ${excerpt(after)}`;
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
