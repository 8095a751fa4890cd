import { systemClock } from '../environment.js';
import type { LoopEvent } from '../loop.js';
import { UsageSum } from '../model/usage.js';
import type { PermissionDenial } from '../protocol/permissions.js';
import type { RunFacts } from './run-result.js';

/** What one run adds up to. */
export class RunCounts {
  readonly #started = systemClock();
  readonly #usage: UsageSum;
  readonly #denials: PermissionDenial[] = [];
  #answers = 0;
  #apiMs = 0;
  #stopReason: string | null = null;

  constructor(maxOutputTokens: number) {
    this.#usage = new UsageSum(maxOutputTokens);
  }

  count(event: LoopEvent): void {
    if (event.type === 'answer') {
      this.#answers += 1;
      this.#apiMs += event.durationMs;
      this.#stopReason = event.message.stop_reason;
      this.#usage.add(event.message);
    } else if (event.type === 'call_result' && event.result.denial) this.#denials.push(event.result.denial);
  }

  facts(): Omit<RunFacts, 'uuid' | 'session_id' | 'modelUsage' | 'maxTurns' | 'maxOutputTokens'> {
    return {
      duration_ms: systemClock() - this.#started,
      duration_api_ms: this.#apiMs,
      num_turns: this.#answers,
      stop_reason: this.#stopReason,
      usage: this.#usage.total(),
      permission_denials: this.#denials,
    };
  }
}
