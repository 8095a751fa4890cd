/** The shapes of the Messages API that the rest of Waymark speaks of. Types only: nothing is loaded. */
export type {
  ContentBlock,
  ContentBlockParam,
  ImageBlockParam,
  Message,
  MessageParam,
  RawMessageStreamEvent,
  StopReason,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUseBlock,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';

/** A JSON Schema object as it is sent in a tool definition. */
export type JsonSchema = Record<string, unknown>;
