import type { AnyTool } from '../tool.js';

/** Hints about a tool, as MCP has them. `readOnlyHint: true` lets its calls run in parallel. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What a handler of an in-process tool returns. */
export interface CallToolResult {
  content: Array<
    | { type: 'text'; text: string }
    | { type: 'image'; data: string; mimeType: string }
    | { type: string; [key: string]: unknown }
  >;
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** An in-process server as `createSdkMcpServer` makes it. Its tools are called `mcp__<name>__<tool>`. */
export interface SdkMcpServerConfig {
  type: 'sdk';
  name: string;
  version?: string;
  instance: { readonly tools: readonly AnyTool[] };
}

export type McpServerConfig = SdkMcpServerConfig;
