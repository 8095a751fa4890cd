import { z } from 'zod';
import type { PlanItem } from './plan-item.js';

/** What a reminder is about: an open plan that was not touched for a while, or that there is no plan at all. */
export type ReminderKind = 'stale' | 'start';

/** What a host's `render` gets. */
export interface ReminderView {
  mode: 'todo' | 'tasks';
  kind: ReminderKind;
  openCount: number;
  /** The open items, most important first. */
  items: readonly PlanItem[];
}

/** Writes the text of a reminder in place of the default. Empty text or undefined: no reminder this time. */
export type RenderReminder = (view: ReminderView) => string | undefined | Promise<string | undefined>;

/** Told of each reminder that is given: where it came, and its text as the model reads it. */
export type OnReminder = (fired: {
  round: number;
  kind: ReminderKind;
  openCount: number;
  text: string;
}) => void;

const rounds = z.int().min(1);
const isFunction = (value: unknown) => typeof value === 'function';

/** `options.reminders`. A round is one model answer that called tools. */
export const remindersOptionSchema = z.union([
  z.literal(false),
  z.strictObject({
    /** Rounds without a plan write before a reminder. Default 3. */
    afterRounds: rounds.optional(),
    /** Rounds from one reminder to the next, at least. Default 3. */
    gapRounds: rounds.optional(),
    /** Reminders in a row without a plan write. Default 3; 0 means none. */
    maxFires: z.int().min(0).optional(),
    render: z.custom<RenderReminder>(isFunction, 'must be a function').optional(),
    onFire: z.custom<OnReminder>(isFunction, 'must be a function').optional(),
  }),
]);
/** `options.reminders` as a host writes it. */
export type AttentionSettings = z.input<typeof remindersOptionSchema>;

export interface ReminderSettings {
  afterRounds: number;
  gapRounds: number;
  maxFires: number;
  /** Rounds with no plan at all before the one hint that a plan may help. */
  startHintAfterRounds: number;
  render?: RenderReminder;
  onFire?: OnReminder;
}

export const DEFAULT_REMINDERS: Readonly<ReminderSettings> = {
  afterRounds: 3,
  gapRounds: 3,
  maxFires: 3,
  startHintAfterRounds: 10,
};

/** The settings with their defaults filled in; undefined when reminders are off. */
export function reminderSettings(option?: AttentionSettings): ReminderSettings | undefined {
  if (option === false) return undefined;
  return {
    ...DEFAULT_REMINDERS,
    ...Object.fromEntries(Object.entries(option ?? {}).filter(([, value]) => value !== undefined)),
  };
}
