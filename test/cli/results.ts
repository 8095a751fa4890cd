import { failedResult } from '../../src/cli/failed-result.js';
import type { SDKResultError, SDKResultSuccess } from '../../src/protocol/messages.js';
import type { PermissionDenial } from '../../src/protocol/permissions.js';

export function errorResult(fields: Partial<SDKResultError>): SDKResultError {
  const base = failedResult({
    sessionId: 's1',
    durationMs: 1,
    turns: 1,
    errors: ['it failed'],
    interrupted: false,
  });
  return { ...base, ...fields };
}

export function successResult(result = 'the answer'): SDKResultSuccess {
  const { errors: _errors, ...base } = errorResult({});
  return {
    ...base,
    subtype: 'success',
    is_error: false,
    result,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
  };
}

export function denial(by: PermissionDenial['denied_by'], tool = 'Bash'): PermissionDenial {
  return { tool_name: tool, tool_use_id: 't1', tool_input: {}, denied_by: by };
}
