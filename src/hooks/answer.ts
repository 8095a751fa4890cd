import { z } from 'zod';
import type { HookEvent } from '../protocol/hooks.js';

/** A hook's answer. Unknown keys are dropped; a known key of a wrong type makes the answer a failed one. */
export const hookAnswerSchema = z.object({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .object({
      hookEventName: z.string().optional(),
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      additionalContext: z.string().optional(),
      updatedToolOutput: z.unknown().optional(),
    })
    .optional(),
});
export type HookAnswer = z.infer<typeof hookAnswerSchema>;

/** One hook's outcome: its answer, or why there is none. */
export type HookOutcome =
  | { hook: string; answer: HookAnswer }
  | { hook: string; failure: string; timedOut: boolean; blocks: boolean };

export type PermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

/** All hooks of one event, put together by one fixed rule that does not depend on which ended first. */
export interface CombinedAnswer {
  /** deny > defer > ask > allow; undefined when no hook decided. */
  decision?: PermissionDecision;
  /** The reasons of those that gave the winning decision, a line each. */
  decisionReason?: string;
  /** Set when a hook blocks: the reasons, a line each. */
  blocked?: string;
  /** The last registered rewrite. */
  updatedInput?: Record<string, unknown>;
  updatedToolOutput?: { value: unknown };
  /** Texts for the model, in order of registration. */
  additionalContext: string[];
  /** Set when a hook said `continue: false`; its `stopReason`, or a text that names the hook. */
  stopped?: string;
  /** Texts for the user. */
  systemMessages: string[];
  /** Hooks that failed, named. */
  failures: string[];
}

const STRICTNESS: readonly PermissionDecision[] = ['deny', 'defer', 'ask', 'allow'];

/** Combines outcomes that stand in order of registration. Pure. */
export function combineAnswers(event: HookEvent, outcomes: readonly HookOutcome[]): CombinedAnswer {
  const combined: CombinedAnswer = { additionalContext: [], systemMessages: [], failures: [] };
  const decisions: Array<{ decision: PermissionDecision; reason: string }> = [];
  const blocks: string[] = [];
  for (const outcome of outcomes) {
    if ('failure' in outcome) {
      combined.failures.push(`${outcome.hook} ${outcome.failure}`);
      if (outcome.blocks) blocks.push(`blocked because ${outcome.hook} ${outcome.failure}`);
      continue;
    }
    const { hook, answer } = outcome;
    const specific = answer.hookSpecificOutput;
    const reason = specific?.permissionDecisionReason?.trim() || answer.reason?.trim();
    const noReason = `blocked by hook ${hook}, no reason given`;
    if (answer.continue === false && event !== 'TaskCreated') {
      combined.stopped ??= answer.stopReason?.trim() || `stopped by hook ${hook}`;
    }
    if (event === 'PreToolUse') {
      const old = answer.decision === 'block' ? 'deny' : answer.decision === 'approve' ? 'allow' : undefined;
      const decision = specific?.permissionDecision ?? old;
      if (decision) decisions.push({ decision, reason: reason || (decision === 'deny' ? noReason : '') });
    } else if (answer.decision === 'block') blocks.push(reason || noReason);
    if (specific?.updatedInput) combined.updatedInput = specific.updatedInput;
    if (specific && 'updatedToolOutput' in specific)
      combined.updatedToolOutput = { value: specific.updatedToolOutput };
    if (specific?.additionalContext?.trim()) combined.additionalContext.push(specific.additionalContext);
    if (answer.systemMessage?.trim()) combined.systemMessages.push(answer.systemMessage);
  }
  const winner = STRICTNESS.find((decision) => decisions.some((item) => item.decision === decision));
  if (winner) {
    combined.decision = winner;
    const reasons = decisions
      .filter((item) => item.decision === winner && item.reason)
      .map((item) => item.reason);
    if (reasons.length > 0) combined.decisionReason = reasons.join('\n');
  }
  if (event === 'PreToolUse' && blocks.length > 0) {
    combined.decision = 'deny';
    combined.decisionReason = [...(winner === 'deny' ? [combined.decisionReason ?? ''] : []), ...blocks].join(
      '\n',
    );
  } else if (blocks.length > 0) combined.blocked = blocks.join('\n');
  return combined;
}
