/** What attention remembers of a round: one model answer that called tools. */
export interface TurnEntry {
  /** 1, 2, 3 … */
  round: number;
  toolNames: readonly string[];
  /** Whether a call of this round changed the plan. */
  wrotePlan: boolean;
  /** Whether a reminder was added after this round. */
  reminded: boolean;
}

export type TurnLog = readonly TurnEntry[];

/** A call of a round, with whether it succeeded. */
export interface RoundCall {
  name: string;
  input: unknown;
  ok: boolean;
}

const WRITERS: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

/** The tools that keep the plan, writing or reading. */
const PLAN_TOOLS: ReadonlySet<string> = new Set([...WRITERS, 'Todo', 'TaskGet', 'TaskList']);

/** Whether the tool belongs to the plan, so that a call to it is no work on the job itself. */
export function isPlanTool(name: string): boolean {
  return PLAN_TOOLS.has(name);
}

/** Whether a call changed the plan. Reading it (TaskGet, TaskList, Todo view) and a failed call do not count. */
export function isPlanWrite(name: string, input: unknown, ok: boolean): boolean {
  if (!ok) return false;
  if (name !== 'Todo') return WRITERS.has(name);
  if (typeof input !== 'object' || input === null || !('action' in input)) return false;
  return input.action === 'add' || input.action === 'update';
}

/** The log with one more round at its end. */
export function withRound(log: TurnLog, calls: readonly RoundCall[]): TurnLog {
  const entry: TurnEntry = {
    round: (log.at(-1)?.round ?? 0) + 1,
    toolNames: calls.map((call) => call.name),
    wrotePlan: calls.some((call) => isPlanWrite(call.name, call.input, call.ok)),
    reminded: false,
  };
  return [...log, entry];
}

/** The log with its last round marked as reminded. */
export function withReminder(log: TurnLog): TurnLog {
  return log.map((entry, index) => (index === log.length - 1 ? { ...entry, reminded: true } : entry));
}
