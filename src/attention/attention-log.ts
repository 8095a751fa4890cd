import { attentionCheck } from './attention.js';
import type { PlanItem } from './plan-item.js';
import { reminderText, wrapReminder } from './reminder-text.js';
import type { OnReminder, ReminderSettings, ReminderView } from './settings.js';
import { type RoundCall, type TurnLog, withReminder, withRound } from './turn-log.js';

export interface AttentionOptions {
  /** From `reminderSettings(options.reminders)`; undefined turns reminders off. */
  settings: ReminderSettings | undefined;
  mode: 'todo' | 'tasks' | 'off';
  /** The open items of the plan now, most important first. Asked only in a round that could bring a reminder. */
  readOpenItems: () => Promise<readonly PlanItem[]>;
  /**
   * Told when `readOpenItems` or the host's `render` throws; the round then has no reminder. Without it
   * `nextReminder` throws what they threw.
   */
  onProblem?: (error: unknown) => void;
}

/** Watches one agent's rounds and says when its plan should be put before it again. One for each agent. */
export class Attention {
  readonly #options: AttentionOptions;
  #log: TurnLog = [];

  constructor(options: AttentionOptions) {
    this.#options = options;
  }

  /** The rounds so far. */
  get log(): TurnLog {
    return this.#log;
  }

  /** To be called once a round, when all its calls have been answered. */
  record(calls: readonly RoundCall[]): void {
    this.#log = withRound(this.#log, calls);
  }

  /**
   * The reminder to add at the tail of the newest user message, tags included, or undefined. A reminder that is
   * given counts as fired. To be called after `record`, at most once a round.
   */
  async nextReminder(): Promise<string | undefined> {
    const { onProblem } = this.#options;
    try {
      return await this.#compose();
    } catch (error) {
      if (onProblem === undefined) throw error;
      onProblem(error);
      return undefined;
    }
  }

  /** The reminder is given by now: a host that fails to take note of it costs nobody anything. */
  #tell(fired: Parameters<OnReminder>[0]): void {
    try {
      this.#options.settings?.onFire?.(fired);
    } catch (error) {
      this.#options.onProblem?.(error);
    }
  }

  async #compose(): Promise<string | undefined> {
    const { settings, mode, readOpenItems } = this.#options;
    const log = this.#log;
    if (settings === undefined || mode === 'off' || log.at(-1)?.reminded) return undefined;
    // The plan may lie on disk: it is read only when one of the two answers could matter.
    const possible = [0, 1].some((openCount) => attentionCheck({ log, openCount, settings }).remind);
    if (!possible) return undefined;
    const items = await readOpenItems();
    const decision = attentionCheck({ log, openCount: items.length, settings });
    if (!decision.remind) return undefined;
    const view: ReminderView = { mode, kind: decision.kind, openCount: items.length, items };
    const own = settings.render ? await settings.render(view) : undefined;
    if (settings.render && !own?.trim()) return undefined;
    const text = own === undefined ? reminderText(view) : wrapReminder(own);
    this.#log = withReminder(log);
    this.#tell({ round: log.length, kind: view.kind, openCount: view.openCount, text });
    return text;
  }
}
