import type { SDKMessage } from './messages.js';

/** A run: its messages, and what ends it. */
export interface Query extends AsyncGenerator<SDKMessage, void, undefined> {
  /**
   * Ends the prompt that is being worked on: the model call, running tools. Its result says `aborted_streaming` or
   * `aborted_tools`; nothing is thrown. A query that streams prompts goes on with the next one.
   */
  interrupt(): Promise<void>;
  /** Ends the run and everything it started, background processes included; resolves when they are gone. */
  close(): Promise<void>;
}
