import { newId } from '../environment.js';
import { noUsage } from '../model/usage.js';
import type { SDKResultError } from '../protocol/messages.js';

/** The result of a run that ended without one of its own, so that a reader of JSON always gets exactly one. */
export function failedResult(run: {
  sessionId?: string | undefined;
  durationMs: number;
  turns: number;
  errors: string[];
  interrupted: boolean;
  apiErrorStatus?: number | undefined;
}): SDKResultError {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    duration_ms: run.durationMs,
    duration_api_ms: 0,
    num_turns: run.turns,
    stop_reason: null,
    // Nothing was spent before the first answer; after it, only the run's own result would have known.
    total_cost_usd: run.turns === 0 ? 0 : null,
    usage: noUsage(),
    modelUsage: {},
    permission_denials: [],
    terminal_reason: run.interrupted ? 'aborted_streaming' : 'model_error',
    errors: run.errors,
    ...(run.apiErrorStatus !== undefined && { api_error_status: run.apiErrorStatus }),
    uuid: newId(),
    session_id: run.sessionId ?? newId(),
  };
}
