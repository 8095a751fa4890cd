import type { CallResult } from '../dispatch/call-result.js';
import { type Clock, newId } from '../environment.js';
import type { ModelEvent } from '../model/model.js';
import type { Message, RawMessageStreamEvent } from '../protocol/api.js';
import type {
  SDKApiRetryMessage,
  SDKAssistantMessage,
  SDKInformationalMessage,
  SDKPartialAssistantMessage,
  SDKSystemMessage,
  SDKTaskNotificationMessage,
  SDKUserMessage,
} from '../protocol/messages.js';

/** Gives what happens in a session the form that a host reads: an id, the session, a time. */
export class SdkMessages {
  readonly #sessionId: string;
  readonly #clock: Clock;

  constructor(sessionId: string, clock: Clock) {
    this.#sessionId = sessionId;
    this.#clock = clock;
  }

  envelope(): { uuid: string; session_id: string } {
    return { uuid: newId(), session_id: this.#sessionId };
  }

  init(facts: Omit<SDKSystemMessage, 'type' | 'subtype' | 'uuid' | 'session_id'>): SDKSystemMessage {
    return { type: 'system', subtype: 'init', ...facts, ...this.envelope() };
  }

  assistant(message: Message): SDKAssistantMessage {
    const timestamp = this.#now();
    return { type: 'assistant', message, parent_tool_use_id: null, timestamp, ...this.envelope() };
  }

  toolResult({ result, data }: CallResult): SDKUserMessage {
    return {
      type: 'user',
      message: { role: 'user', content: [result] },
      parent_tool_use_id: null,
      isSynthetic: true,
      tool_use_result: data,
      timestamp: this.#now(),
      ...this.envelope(),
    };
  }

  /** A user message that no person wrote and a person may see, such as what a Stop hook says. */
  addedText(text: string): SDKUserMessage {
    return {
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text }] },
      parent_tool_use_id: null,
      isSynthetic: true,
      timestamp: this.#now(),
      ...this.envelope(),
    };
  }

  streamEvent(event: RawMessageStreamEvent): SDKPartialAssistantMessage {
    return { type: 'stream_event', event, parent_tool_use_id: null, ...this.envelope() };
  }

  retry({
    attempt,
    maxRetries,
    delayMs,
    failure,
  }: Extract<ModelEvent, { type: 'retry' }>): SDKApiRetryMessage {
    return {
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: maxRetries,
      retry_delay_ms: delayMs,
      error_status: failure.status,
      error: failure.message,
      ...this.envelope(),
    };
  }

  informational(content: string): SDKInformationalMessage {
    return { type: 'system', subtype: 'informational', content, level: 'warning', ...this.envelope() };
  }

  taskNotification(
    news: Pick<SDKTaskNotificationMessage, 'task_id' | 'status' | 'output_file' | 'summary'>,
  ): SDKTaskNotificationMessage {
    return { type: 'system', subtype: 'task_notification', ...news, ...this.envelope() };
  }

  #now(): string {
    return new Date(this.#clock()).toISOString();
  }
}
