import type { InputSchema } from '../schema/input-schema.js';

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

/** What a handler gets beside its input. */
export interface SdkToolExtra {
  /** Aborted when the run is interrupted. */
  signal: AbortSignal;
  toolUseID: string;
}

/** A tool as `tool()` makes it. */
export interface SdkMcpToolDefinition {
  name: string;
  description: string;
  input: InputSchema;
  annotations?: ToolAnnotations;
  handler(input: unknown, extra: SdkToolExtra): Promise<CallToolResult> | CallToolResult;
}

/** An in-process server as `createSdkMcpServer` makes it. */
export interface SdkMcpServerConfig {
  type: 'sdk';
  name: string;
  version?: string;
  instance: { readonly tools: readonly SdkMcpToolDefinition[] };
}

export type McpServerConfig = SdkMcpServerConfig;
