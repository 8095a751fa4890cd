import { type Environment, environment, readFlag } from './environment.js';

/** `todo` is V1 (TodoWrite, in memory), `tasks` is V2 (four Task tools on files), `off` offers neither. */
export type PlanningMode = 'todo' | 'tasks' | 'off';

/** What the host may ask for. `auto` leaves the choice to the gate. */
export type PlanningOption = 'auto' | PlanningMode;

export interface GateInputs {
  /** Default: the environment of this process. */
  env?: Environment;
  /** Whether a person sits at a terminal. Default false: a Node.js program or a script. */
  interactive?: boolean;
}

export interface GateExplanation {
  enabled: boolean;
  /** Names the input that decided. */
  reason: string;
}

const SWITCH = 'CLAUDE_CODE_ENABLE_TASKS';

/** The gate, with the input that decided. Pure: the same inputs give the same answer. */
export function explainTodoGate(inputs: GateInputs = {}): GateExplanation {
  const value = environment(inputs.env)[SWITCH];
  const flag = readFlag(value);
  if (flag !== undefined) return { enabled: flag, reason: `${SWITCH}=${value?.trim()}` };
  const session = inputs.interactive ? 'interactive session' : 'non-interactive session';
  const ignored = value?.trim() ? ` (${SWITCH}=${JSON.stringify(value)} is neither true nor false)` : '';
  return { enabled: inputs.interactive === true, reason: `${session}${ignored}` };
}

/** Whether V2 (the Task tools) is on. When it is off, V1 (TodoWrite) is on: always one of them, never both. */
export function isTodoV2Enabled(inputs: GateInputs = {}): boolean {
  return explainTodoGate(inputs).enabled;
}

export interface PlanningDecision {
  mode: PlanningMode;
  reason: string;
}

/** The host's word first, then the gate. Asked once, when a session starts; later changes change nothing. */
export function decidePlanning(option: PlanningOption = 'auto', inputs: GateInputs = {}): PlanningDecision {
  if (option !== 'auto') return { mode: option, reason: `options.planning = '${option}'` };
  const { enabled, reason } = explainTodoGate(inputs);
  return { mode: enabled ? 'tasks' : 'todo', reason };
}

/** Whether several named agents share a task list: a team is named, or `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is true. */
export function isAgentSwarmsEnabled(inputs: { env?: Environment; team?: string | undefined } = {}): boolean {
  if (inputs.team?.trim()) return true;
  return readFlag(environment(inputs.env).CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS) === true;
}
