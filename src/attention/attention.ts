import type { ReminderKind, ReminderSettings } from './settings.js';
import type { TurnLog } from './turn-log.js';

export interface AttentionInput {
  /** The rounds so far; the last entry is the round that has just ended. */
  log: TurnLog;
  /** Open items of the plan now. */
  openCount: number;
  settings: Pick<ReminderSettings, 'afterRounds' | 'gapRounds' | 'maxFires' | 'startHintAfterRounds'>;
}

export type AttentionDecision =
  | { remind: false; reason: string }
  | { remind: true; kind: ReminderKind; reason: string };

/**
 * Whether the model should be reminded of its plan after the last round of the log, and why. Pure; counted in
 * rounds, never in time. `stale`: open items, and no write for `afterRounds`, no reminder for `gapRounds`, fewer
 * than `maxFires` reminders since the last write. `start`: no plan and no reminder ever, after `startHintAfterRounds`.
 */
export function attentionCheck({ log, openCount, settings }: AttentionInput): AttentionDecision {
  const last = log.at(-1);
  if (last === undefined) return no('no round yet');
  if (last.wrotePlan) return no('the plan was written in this round');
  if (settings.maxFires === 0) return no('maxFires is 0');
  return openCount > 0 ? checkStale(log, settings, openCount) : checkStart(log, settings);
}

function checkStale(
  log: TurnLog,
  settings: AttentionInput['settings'],
  openCount: number,
): AttentionDecision {
  const { afterRounds, gapRounds, maxFires } = settings;
  const sinceWrite = log.length - 1 - log.findLastIndex((entry) => entry.wrotePlan);
  if (sinceWrite < afterRounds) return no(`${sinceWrite} of ${afterRounds} rounds since the last plan write`);
  const lastReminder = log.findLastIndex((entry) => entry.reminded);
  const sinceReminder = log.length - 1 - lastReminder;
  if (lastReminder >= 0 && sinceReminder < gapRounds)
    return no(`${sinceReminder} of ${gapRounds} rounds since the last reminder`);
  const fires = log.slice(log.length - sinceWrite).filter((entry) => entry.reminded).length;
  if (fires >= maxFires) return no(`${fires} reminders in a row without a plan write`);
  const reason = `${openCount} open items and no plan write for ${sinceWrite} rounds`;
  return { remind: true, kind: 'stale', reason };
}

function checkStart(log: TurnLog, { startHintAfterRounds }: AttentionInput['settings']): AttentionDecision {
  if (log.some((entry) => entry.wrotePlan)) return no('the plan has no open items');
  if (log.some((entry) => entry.reminded)) return no('the one hint was given');
  if (log.length < startHintAfterRounds)
    return no(`${log.length} of ${startHintAfterRounds} rounds without a plan`);
  return { remind: true, kind: 'start', reason: `no plan after ${log.length} rounds` };
}

function no(reason: string): AttentionDecision {
  return { remind: false, reason };
}
