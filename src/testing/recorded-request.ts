import type { MessageParam, TextBlockParam } from '../protocol/api.js';

/** The body of a request, as far as the server looks into it. What was sent and broke the rules has its own shape. */
export interface MessagesRequestBody {
  model: string;
  max_tokens: number;
  messages: MessageParam[];
  system?: string | TextBlockParam[];
  tools?: Array<{ name: string; description?: string; input_schema: Record<string, unknown> }>;
  stream?: boolean;
  [key: string]: unknown;
}

export interface RecordedRequest {
  body: MessagesRequestBody;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  text: string;
  /** When its last byte came, in milliseconds since 1970. */
  time: number;
}
