export { answerEvents, type WireMessage } from './answer-message.js';
export {
  type MessagesServer,
  type MessagesServerOptions,
  startMessagesServer,
} from './messages-server.js';
export { prefixDifference } from './prefix-difference.js';
export type { MessagesRequestBody, RecordedRequest } from './recorded-request.js';
export type { ScriptSteps } from './script.js';
export {
  type Answer,
  type AnswerBlock,
  answer,
  type HttpError,
  httpError,
  type RawStream,
  rawStream,
  type Stall,
  type Step,
  type StreamEnd,
  stall,
} from './steps.js';
export { type ValidationContext, validateMessagesRequest } from './validate-request.js';
