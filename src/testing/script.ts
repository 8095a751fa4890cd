import { WaymarkError } from '../errors.js';
import type { RecordedRequest } from './recorded-request.js';
import type { Step } from './steps.js';

/** Steps in order, one a request, or a function that looks at the request and decides. `index` counts from 0. */
export type ScriptSteps =
  | readonly Step[]
  | ((request: RecordedRequest, index: number) => Step | Promise<Step>);

/** Hands out one step for each accepted request and keeps the books on what did not fit. */
export class Script {
  readonly #steps: ScriptSteps;
  #given = 0;
  #surplus = 0;

  constructor(steps: ScriptSteps) {
    this.#steps = steps;
  }

  /** Undefined when the script has no step left. */
  async next(request: RecordedRequest): Promise<Step | undefined> {
    const index = this.#given;
    if (typeof this.#steps === 'function') {
      this.#given += 1;
      return this.#steps(request, index);
    }
    const step = this.#steps[index];
    if (step) this.#given += 1;
    else this.#surplus += 1;
    return step;
  }

  /** How many steps were given out. */
  get given(): number {
    return this.#given;
  }

  /** Throws `script_mismatch` when steps are left over, when there were too few, or on `violations`. */
  assertDone(violations: readonly string[]): void {
    const problems = [...violations];
    const leftOver = typeof this.#steps === 'function' ? 0 : this.#steps.length - this.#given;
    if (leftOver > 0) problems.push(`${leftOver} of ${this.#steps.length} steps were never asked for`);
    if (problems.length === 0) return;
    throw new WaymarkError(
      'script_mismatch',
      `The run did not follow the script:\n- ${problems.join('\n- ')}`,
      {
        details: { problems, given: this.#given, leftOver, surplus: this.#surplus },
      },
    );
  }
}
