import { z } from 'zod';
import { WaymarkError } from '../errors.js';
import type { ImageBlockParam, TextBlockParam } from '../protocol/api.js';
import type {
  CallToolResult,
  SdkMcpServerConfig,
  SdkMcpToolDefinition,
  SdkToolExtra,
  ToolAnnotations,
} from '../protocol/mcp.js';
import { type InputSchemaSource, inputSchema } from '../schema/input-schema.js';
import { type AnyTool, defineTool, type ToolResult } from '../tool.js';

/** What a schema puts out, by the marks that zod 4, zod/mini and zod 3 carry. */
type Out<Schema> = Schema extends { _zod: { output: infer Output } }
  ? Output
  : Schema extends { _output: infer Output }
    ? Output
    : never;
type AnySchema = { _zod: { output: unknown } } | { _output: unknown };

/** The input that a handler gets: what the schema or the shape puts out; of plain JSON Schema nothing is known. */
export type HandlerInput<Source> = Source extends AnySchema
  ? Out<Source>
  : Source extends Readonly<Record<string, AnySchema>>
    ? { [Key in keyof Source]: Out<Source[Key]> }
    : Record<string, unknown>;

/**
 * A tool of the host's own.
 *
 * @param schema a zod 4, zod 3 or zod/mini object schema, a raw shape of such, or plain JSON Schema.
 * @param handler gets the validated input, defaults and transforms applied. A throw gives the model an error result.
 * @param extras `annotations.readOnlyHint: true` lets calls run beside each other.
 * @throws WaymarkError `invalid_schema` for a schema that would reach the model empty, `invalid_options` for a bad name.
 */
export function tool<Source extends InputSchemaSource>(
  name: string,
  description: string,
  schema: Source,
  handler: (input: HandlerInput<Source>, extra: SdkToolExtra) => Promise<CallToolResult> | CallToolResult,
  extras: { annotations?: ToolAnnotations } = {},
): SdkMcpToolDefinition {
  if (!name.trim()) throw new WaymarkError('invalid_options', 'A tool needs a name.');
  return {
    name,
    description,
    input: inputSchema(name, schema),
    // The input was checked by this very schema before the handler is called.
    handler: handler as SdkMcpToolDefinition['handler'],
    ...(extras.annotations ? { annotations: extras.annotations } : {}),
  };
}

/** A server in this process for `options.mcpServers`. Its tools are offered as `mcp__<key in mcpServers>__<tool>`. */
export function createSdkMcpServer(options: {
  name: string;
  version?: string;
  tools?: readonly SdkMcpToolDefinition[];
}): SdkMcpServerConfig {
  const { name, version, tools = [] } = options;
  return { type: 'sdk', name, ...(version ? { version } : {}), instance: { tools: [...tools] } };
}

/**
 * The tools of one server, as the registry holds them.
 *
 * @throws WaymarkError `invalid_options` when two of its tools come to the same name, or a name is too long.
 */
export function sdkServerTools(serverName: string, server: SdkMcpServerConfig): AnyTool[] {
  const names = new Set<string>();
  return server.instance.tools.map((definition) => {
    const name = `mcp__${wireName(serverName)}__${wireName(definition.name)}`;
    if (names.has(name)) {
      throw new WaymarkError(
        'invalid_options',
        `options.mcpServers.${serverName}: two tools are called ${name}.`,
      );
    }
    if (name.length > LONGEST_NAME) {
      const message = `options.mcpServers.${serverName}: the name ${name} is longer than ${LONGEST_NAME} characters.`;
      throw new WaymarkError('invalid_options', message);
    }
    names.add(name);
    return sdkTool(name, definition);
  });
}

const LONGEST_NAME = 128;

/** The API takes letters, digits, `_` and `-` in a tool's name. */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function sdkTool(name: string, definition: SdkMcpToolDefinition): AnyTool {
  const isReadOnly = definition.annotations?.readOnlyHint === true;
  return defineTool({
    name,
    description: definition.description,
    inputSchema: definition.input.schema,
    inputJsonSchema: definition.input.jsonSchema,
    // A model sends `''`, or nothing, for a tool without arguments.
    repair: (input) => (input === '' || input === undefined || input === null ? {} : input),
    isReadOnly: () => isReadOnly,
    async call(input, context) {
      const extra: SdkToolExtra = { signal: context.signal, toolUseID: context.toolUseId };
      return toToolResult(await definition.handler(input, extra));
    },
  });
}

const resultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
const textSchema = z.object({ type: z.literal('text'), text: z.string() });
const imageSchema = z.object({
  type: z.literal('image'),
  data: z.string(),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
});

function toToolResult(answer: unknown): ToolResult {
  const parsed = resultSchema.safeParse(answer);
  if (!parsed.success) {
    throw new Error('The tool gave no valid result: expected { content: [{ type: "text", text }] }.');
  }
  const { content = [], structuredContent, isError } = parsed.data;
  const blocks = content.map(toBlock);
  const textOnly = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (blocks.length === 0 && structuredContent) textOnly.push(JSON.stringify(structuredContent));
  return {
    data: structuredContent ?? content,
    content: textOnly.length >= blocks.length ? textOnly.join('\n') : blocks,
    isError: isError === true,
  };
}

/** Texts and images as the model takes them; other kinds (resources, links, audio) as their JSON. */
function toBlock(part: Record<string, unknown>): TextBlockParam | ImageBlockParam {
  const text = textSchema.safeParse(part);
  if (text.success) return { type: 'text', text: text.data.text };
  const image = imageSchema.safeParse(part);
  if (image.success) {
    const { data, mimeType } = image.data;
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
  }
  return { type: 'text', text: JSON.stringify(part) };
}
