/** An open item of the plan, whichever mode it comes from. */
export interface PlanItem {
  /** The task's number in V2; absent in V1. */
  id?: string;
  text: string;
  status: 'pending' | 'in_progress';
  /** The agent that has the task (V2). */
  owner?: string;
  /** Ids of the open tasks it waits for (V2). */
  blockedBy?: readonly string[];
  /** The item as one line of text, in the form the mode's own tools use. */
  line: string;
}

/**
 * Text as one line of at most `maxChars` UTF-16 units: white space and control characters become single spaces,
 * and a cut shows as `…`. Never splits a surrogate pair.
 */
export function oneLine(text: string, maxChars: number): string {
  // Only the start of a long text is looked at; white space that collapses is paid for by the factor.
  const head = text.length > maxChars * 4 ? text.slice(0, maxChars * 4) : text;
  const line = head.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (line.length <= maxChars && head.length === text.length) return line;
  return `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
