import { WaymarkError } from '../errors.js';
import type { LoopEnd } from '../loop.js';
import type { Usage } from '../protocol/api.js';
import type { ModelUsage, SDKResultError, SDKResultMessage, TerminalReason } from '../protocol/messages.js';
import type { PermissionDenial } from '../protocol/permissions.js';

/** How a prompt's run ended. Beside the loop's ends: a hook kept the prompt from the model, or it was blank. */
export type RunEnd =
  | LoopEnd
  | { reason: 'prompt_blocked'; text: string }
  | { reason: 'prompt_invalid'; text: string };

export interface RunFacts {
  uuid: string;
  session_id: string;
  duration_ms: number;
  duration_api_ms: number;
  num_turns: number;
  stop_reason: string | null;
  usage: Usage;
  modelUsage: Record<string, ModelUsage>;
  permission_denials: PermissionDenial[];
  maxTurns: number;
  maxOutputTokens: number;
}

/** The one result of a run. Pure. */
export function runResult(end: RunEnd, facts: RunFacts): SDKResultMessage {
  const { maxTurns, maxOutputTokens, ...shared } = facts;
  const common = { type: 'result' as const, ...shared, total_cost_usd: cost(facts) };
  if (end.reason === 'completed') {
    return { ...common, subtype: 'success', is_error: false, result: end.text, terminal_reason: 'completed' };
  }
  const error = describe(end, maxTurns, maxOutputTokens);
  return {
    ...common,
    subtype: end.reason === 'max_turns' ? 'error_max_turns' : 'error_during_execution',
    is_error: true,
    ...error,
  };
}

/** Nothing asked costs nothing; else it is the sum of the models' costs, unknown when one is. */
function cost({ modelUsage }: RunFacts): number | null {
  return Object.values(modelUsage).reduce<number | null>(
    (sum, { costUSD }) => (sum === null || costUSD === null ? null : sum + costUSD),
    0,
  );
}

type ErrorPart = Pick<
  SDKResultError,
  'errors' | 'terminal_reason' | 'api_error_status' | 'request_id' | 'refusal'
>;

function describe(
  end: Exclude<RunEnd, { reason: 'completed' }>,
  maxTurns: number,
  maxOutputTokens: number,
): ErrorPart {
  switch (end.reason) {
    case 'max_turns':
      return failed('max_turns', `The run reached its limit of ${maxTurns} turns (maxTurns).`);
    case 'refused': {
      const category = end.category === null ? '' : ` (category: ${end.category})`;
      return {
        ...failed('model_error', `The model refused to answer${category}.`),
        refusal: { category: end.category },
      };
    }
    case 'cut':
      return end.stopReason === 'max_tokens'
        ? failed(
            'model_error',
            `The answer was cut at ${maxOutputTokens} tokens again and again (maxOutputTokens); what came of it is in the messages.`,
          )
        : failed(
            'prompt_too_long',
            "The conversation fills the model's context window; the last answer was cut.",
          );
    case 'stopped':
      return failed(STOPPED[end.by], end.text);
    case 'prompt_blocked':
      return failed('hook_stopped', `A UserPromptSubmit hook blocked the prompt: ${end.text}`);
    case 'prompt_invalid':
      return failed('model_error', end.text);
    case 'aborted':
      return failed(`aborted_${end.during}`, 'The run was interrupted.');
    case 'model_failed': {
      const { status, type, message, requestId } = end.failure;
      const tooLong = status === 413 || (status === 400 && /prompt is too long/i.test(message));
      return {
        ...failed(tooLong ? 'prompt_too_long' : 'api_error', `${type}: ${message}`),
        api_error_status: status,
        request_id: requestId,
      };
    }
  }
}

const STOPPED: Readonly<Record<'hook' | 'person' | 'limit', TerminalReason>> = {
  hook: 'hook_stopped',
  person: 'aborted_tools',
  limit: 'blocking_limit',
};

function failed(terminal_reason: TerminalReason, text: string): ErrorPart {
  return { errors: [text], terminal_reason };
}

/** What a query with a single prompt throws after it yielded this result. */
export function resultError(result: SDKResultError): WaymarkError {
  const isAbort = result.terminal_reason.startsWith('aborted_');
  const isApi = result.terminal_reason === 'api_error' || result.api_error_status !== undefined;
  return new WaymarkError(
    isAbort ? 'aborted' : isApi ? 'api_error' : 'run_failed',
    result.errors.join('\n'),
    {
      details: {
        subtype: result.subtype,
        terminalReason: result.terminal_reason,
        status: result.api_error_status ?? null,
        requestId: result.request_id ?? null,
        sessionId: result.session_id,
      },
    },
  );
}
