/** A plan item as the verification nudge sees it: its text, and whether it is done after this write. */
export interface NudgeItem {
  text: string;
  completed: boolean;
}

export interface NudgeInput {
  /** Every item of the list after the write. V1: the items of the call. V2: all visible tasks. */
  items: readonly NudgeItem[];
  /** Whether this very write finished the last open item. Keeps the nudge to once for each closing. */
  closedNow: boolean;
  /** `options.verificationNudge`. */
  enabled: boolean;
  /** Whether a sub-agent tool is there to make the check. */
  agentTool: boolean;
  /** Sub-agents are never nudged: whoever gave them the job checks it. */
  mainAgent: boolean;
}

/** A shorter list is a small job; asking for an independent check of it costs more than it finds. */
const SMALLEST_LIST = 3;

/**
 * The sentence that asks for an independent check when a write closed a list of 3 or more items and none of
 * them mentions `verif` in any case; undefined when there is nothing to ask. Pure.
 */
export function verificationNudge(input: NudgeInput): string | undefined {
  const { items, closedNow, enabled, agentTool, mainAgent } = input;
  if (!enabled || !mainAgent || !closedNow || items.length < SMALLEST_LIST) return undefined;
  if (!items.every((item) => item.completed)) return undefined;
  if (items.some((item) => item.text.toLowerCase().includes('verif'))) return undefined;
  const how = agentTool
    ? 'Have a sub-agent check the result independently (Agent tool)'
    : 'Check the result independently of how it was made (run the tests, read what changed)';
  return `All ${items.length} items are done and none of them verified the work. ${how} before you write your summary.`;
}
