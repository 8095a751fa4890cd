import { errorText } from '../errors.js';
import type { ImageBlockParam, TextBlockParam, ToolResultBlockParam } from '../protocol/api.js';
import { wholeIn, withLeftOut } from '../workspace/left-out.js';

export const NO_OUTPUT = '(no output)';

/** Saves the whole of a cut text and gives the path of its file. */
export type SaveText = (text: string) => Promise<string>;

type Blocks = Array<TextBlockParam | ImageBlockParam>;

/**
 * What a tool gave back, in a form the API takes: never empty, no blank text block, at most `limit` characters of text.
 * The whole of a longer text is saved first and the file named, so nothing is lost.
 *
 * @throws Error when the value is no text and no list of text and image blocks.
 */
export async function resultContent(
  value: unknown,
  limit: number,
  save: SaveText,
): Promise<NonNullable<ToolResultBlockParam['content']>> {
  if (typeof value === 'string') return value.trim() === '' ? NO_OUTPUT : capText(value, limit, save);
  if (!Array.isArray(value) || !value.every(isBlock)) {
    throw new Error(
      'The tool gave no content that a model can read (a text, or a list of text and image blocks).',
    );
  }
  const blocks: Blocks = value.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (blocks.length === 0) return NO_OUTPUT;
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.reduce((sum, text) => sum + text.length, 0) <= limit) return blocks;
  // Too much text: one cut block in the place of all, the images behind it.
  const text = await capText(texts.join('\n'), limit, save);
  return [{ type: 'text', text }, ...blocks.filter((block) => block.type !== 'text')];
}

/** The text, or its first two thirds and last third of `limit` with a line between that says what is left out. */
export async function capText(text: string, limit: number, save: SaveText): Promise<string> {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.ceil((limit * 2) / 3)).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - Math.floor(limit / 3)).replace(/^[\uDC00-\uDFFF]/, '');
  const where = await save(text).then(
    wholeIn,
    (error: unknown) => `It could not be saved: ${errorText(error)}`,
  );
  return withLeftOut(head, tail, text.length, where);
}

/** The text of a result's content. */
export function contentText(content: ToolResultBlockParam['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** A copy that JSON can hold, for messages and hooks; a text in the place of what it cannot (a ring, a bigint). */
export function plainData(data: unknown): unknown {
  if (data === undefined || data === null || typeof data === 'string') return data;
  try {
    const json = JSON.stringify(data);
    return json === undefined ? String(data) : JSON.parse(json);
  } catch (error) {
    return `This result cannot be shown as JSON: ${errorText(error)}`;
  }
}

function isBlock(value: unknown): value is Blocks[number] {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  if (value.type === 'text') return 'text' in value && typeof value.text === 'string';
  return value.type === 'image' && 'source' in value;
}
