import type { Message, Usage } from '../protocol/api.js';
import type { ModelUsage } from '../protocol/messages.js';

/** Counts of tokens over many answers. */
export class UsageSum {
  #total: Usage | undefined;
  readonly #byModel = new Map<string, ModelUsage>();
  readonly #maxOutputTokens: number;

  constructor(maxOutputTokens: number) {
    this.#maxOutputTokens = maxOutputTokens;
  }

  add({ model, usage }: Pick<Message, 'model' | 'usage'>): void {
    this.#total = this.#total ? addCounts(this.#total, usage) : { ...usage };
    const sum = this.#byModel.get(model) ?? this.#newModel();
    sum.inputTokens += usage.input_tokens;
    sum.outputTokens += usage.output_tokens;
    sum.cacheReadInputTokens += usage.cache_read_input_tokens ?? 0;
    sum.cacheCreationInputTokens += usage.cache_creation_input_tokens ?? 0;
    sum.webSearchRequests += usage.server_tool_use?.web_search_requests ?? 0;
    this.#byModel.set(model, sum);
  }

  /** The counts of all answers, shaped as the API's usage; zeros before the first. */
  total(): Usage {
    return this.#total ?? noUsage();
  }

  byModel(): Record<string, ModelUsage> {
    return Object.fromEntries([...this.#byModel].map(([model, sum]) => [model, { ...sum }]));
  }

  #newModel(): ModelUsage {
    return {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      webSearchRequests: 0,
      costUSD: null,
      contextWindow: null,
      maxOutputTokens: this.#maxOutputTokens,
    };
  }
}

/** Counts are added at every depth; everything else (tier, region) is that of the newest answer. */
function addCounts<T extends object>(sum: T, next: T): T {
  const total = { ...sum } as Record<string, unknown>;
  for (const [key, value] of Object.entries(next)) {
    const before = total[key];
    if (typeof value === 'number' && typeof before === 'number') total[key] = before + value;
    else if (isObject(value) && isObject(before)) total[key] = addCounts(before, value);
    else if (value !== null && value !== undefined) total[key] = value;
  }
  return total as T;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The usage of a run that asked nothing. */
export function noUsage(): Usage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
  };
}
