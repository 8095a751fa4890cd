import { WaymarkError } from '../errors.js';
import type {
  BaseHookInput,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookMatchers,
} from '../protocol/hooks.js';
import { HOOK_EVENTS } from '../protocol/hooks.js';
import type { Task } from '../tasks/task.js';
import type { TaskHooks, TaskHookVerdict } from '../tasks/task-hooks.js';
import { type CombinedAnswer, combineAnswers } from './answer.js';
import { matches } from './matcher.js';
import { runCallback } from './run-callback.js';

const DEFAULT_TIMEOUT_S = 600;
const PROMPT_TIMEOUT_S = 30;

// A guard that did not answer in time is not a yes: these events guard an action. The rest goes on.
const BLOCKS_ON_TIMEOUT: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'UserPromptSubmit']);
/** What has happened is told also after an interrupt; the hooks then have this long, in milliseconds. */
const AFTER_INTERRUPT_MS = 1000;
const TOLD_AFTER_INTERRUPT: ReadonlySet<HookEvent> = new Set(['PostToolUse', 'PostToolUseFailure']);
const BLOCK_IGNORED: ReadonlySet<HookEvent> = new Set(['Stop', 'TaskCompleted']);

export interface SessionHooksOptions {
  matchers: HookMatchers | undefined;
  /** The common part of every input, read anew for each event. */
  base: () => BaseHookInput;
  /** The signal of the run that is on. */
  signal: () => AbortSignal;
  /** Told once for each hook that fails, and for each `systemMessage`. */
  notice: (text: string) => void;
}

interface Registered {
  name: string;
  callback: HookCallback;
  group: HookCallbackMatcher;
}

type EventInput<E extends HookEvent> = Omit<
  Extract<HookInput, { hook_event_name: E }>,
  keyof BaseHookInput | 'hook_event_name'
>;

/** The hooks of one session: finds those that match an event, runs them side by side, combines their answers. */
export class SessionHooks {
  readonly #options: SessionHooksOptions;
  readonly #byEvent = new Map<HookEvent, Registered[]>();
  readonly #reported = new Set<string>();

  /** @throws WaymarkError `invalid_options` that names the event for an unknown one, a non-function, a broken matcher. */
  constructor(options: SessionHooksOptions) {
    this.#options = options;
    for (const [event, groups] of Object.entries(options.matchers ?? {})) {
      if (!(HOOK_EVENTS as readonly string[]).includes(event)) {
        options.notice(
          `options.hooks.${event}: this event does not occur in this version; its hooks never run.`,
        );
        continue;
      }
      const list = (groups ?? []).flatMap((group, index) => register(event as HookEvent, group, index));
      this.#byEvent.set(event as HookEvent, list);
    }
  }

  /** Runs the hooks of an event. With none registered it costs nothing. */
  async run<E extends HookEvent>(
    event: E,
    input: EventInput<E>,
    subject = '',
    toolUseId?: string,
  ): Promise<CombinedAnswer> {
    const hooks = (this.#byEvent.get(event) ?? []).filter(({ group }) => matches(group.matcher, subject));
    if (hooks.length === 0) return { additionalContext: [], systemMessages: [], failures: [] };
    const fullInput: object = { ...this.#options.base(), hook_event_name: event, ...input };
    const signal = this.#signalFor(event);
    const outcomes = await Promise.all(
      hooks.map(({ name, callback, group }) =>
        runCallback({
          name,
          callback,
          // Each hook its own copy: one that changes its input must not change what the others see.
          input: structuredClone(fullInput) as HookInput,
          toolUseId,
          timeoutMs:
            (group.timeout ?? (event === 'UserPromptSubmit' ? PROMPT_TIMEOUT_S : DEFAULT_TIMEOUT_S)) * 1000,
          onFailure: BLOCK_IGNORED.has(event) ? 'continue' : (group.onFailure ?? 'continue'),
          onTimeout: BLOCKS_ON_TIMEOUT.has(event)
            ? 'block'
            : BLOCK_IGNORED.has(event)
              ? 'continue'
              : (group.onFailure ?? 'continue'),
          signal,
        }),
      ),
    );
    const combined = combineAnswers(event, outcomes);
    for (const failure of combined.failures) {
      if (this.#reported.has(failure)) continue;
      this.#reported.add(failure);
      this.#options.notice(`Hook ${failure}`);
    }
    for (const message of combined.systemMessages) this.#options.notice(message);
    return combined;
  }

  #signalFor(event: HookEvent): AbortSignal {
    const signal = this.#options.signal();
    return signal.aborted && TOLD_AFTER_INTERRUPT.has(event)
      ? AbortSignal.timeout(AFTER_INTERRUPT_MS)
      : signal;
  }

  /** The hooks on the plan, in the form the task tools take. */
  taskHooks(names: { teammate?: string; team?: string }): TaskHooks {
    const run = async (
      event: 'TaskCreated' | 'TaskCompleted',
      task: Task,
      listId: string,
      old: string | null,
    ): Promise<TaskHookVerdict> => {
      const answer = await this.run(event, {
        task_id: task.id,
        task_subject: task.subject,
        task_description: task.description,
        ...(names.teammate ? { teammate_name: names.teammate } : {}),
        ...(names.team ? { team_name: names.team } : {}),
        list_id: listId,
        old_status: old,
        new_status: old === null ? 'pending' : 'completed',
      });
      const reason = answer.blocked ?? answer.stopped;
      return reason === undefined
        ? { blocked: false }
        : { blocked: true, feedback: `${event} hook feedback:\n${reason}` };
    };
    return {
      created: (task, listId) => run('TaskCreated', task, listId, null),
      completed: (task, listId) => run('TaskCompleted', task, listId, task.status),
    };
  }
}

function register(event: HookEvent, group: HookCallbackMatcher, index: number): Registered[] {
  const place = `options.hooks.${event}[${index}]`;
  if (!Array.isArray(group?.hooks)) {
    throw new WaymarkError('invalid_options', `${place}.hooks must be a list of functions.`);
  }
  if (group.timeout !== undefined && !(group.timeout > 0)) {
    throw new WaymarkError('invalid_options', `${place}.timeout must be a number of seconds above 0.`);
  }
  try {
    matches(group.matcher, '');
  } catch (cause) {
    throw new WaymarkError('invalid_options', `${place}.matcher is no valid regular expression.`, { cause });
  }
  return group.hooks.map((callback, position) => {
    if (typeof callback !== 'function') {
      throw new WaymarkError('invalid_options', `${place}.hooks[${position}] must be a function.`);
    }
    const name =
      callback.name && callback.name !== 'anonymous' ? callback.name : `#${index + 1}.${position + 1}`;
    return { name: `${event} ${name}`, callback, group };
  });
}
