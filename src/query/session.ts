import { History } from '../conversation/history.js';
import type { CallResult } from '../dispatch/call-result.js';
import { systemClock } from '../environment.js';
import { type LoopEvent, runLoop } from '../loop.js';
import { apiKeySource } from '../model/anthropic.js';
import { UsageSum } from '../model/usage.js';
import { packageVersion } from '../package-files.js';
import type { MessageParam } from '../protocol/api.js';
import type { SDKMessage, SDKResultMessage, SDKSystemMessage } from '../protocol/messages.js';
import type { ToolSet } from '../registry.js';
import type { Settings } from '../settings/read-options.js';
import { JobNews } from './job-news.js';
import { RunCounts } from './run-counts.js';
import { type RunEnd, runResult } from './run-result.js';
import { SdkMessages } from './sdk-messages.js';
import { type SessionParts, sessionParts } from './session-parts.js';

/** How often in a row a Stop hook may make the model go on. */
const MOST_STOP_BLOCKS = 8;

export interface SessionOptions {
  settings: Settings;
  toolSet: ToolSet;
  mcpServers: SDKSystemMessage['mcp_servers'];
  /** Writes a line for a person. */
  warn: (line: string) => void;
}

/** One conversation with everything that belongs to it: plan, tools, rules, history. A run for each prompt. */
export class Session {
  readonly #settings: Settings;
  readonly #toolSet: ToolSet;
  readonly #mcpServers: SDKSystemMessage['mcp_servers'];
  readonly #warn: (line: string) => void;
  readonly #messages: SdkMessages;
  readonly #history = new History();
  readonly #parts: SessionParts;
  readonly #usage: UsageSum;
  readonly #jobNews: JobNews;
  #signal = new AbortController().signal;
  /** Notices that wait to be yielded. */
  #notices: string[] = [];

  /** @throws WaymarkError `invalid_options` for hooks or rules that cannot be used, `no_credentials`. */
  constructor({ settings, toolSet, mcpServers, warn }: SessionOptions) {
    this.#settings = settings;
    this.#toolSet = toolSet;
    this.#mcpServers = mcpServers;
    this.#warn = warn;
    this.#messages = new SdkMessages(settings.sessionId, systemClock);
    this.#usage = new UsageSum(settings.maxOutputTokens);
    this.#parts = sessionParts({
      settings,
      toolSet,
      signal: () => this.#signal,
      notice: (text) => this.#notice(text),
    });
    this.#jobNews = new JobNews(this.#parts.context.jobs);
  }

  init(): SDKSystemMessage {
    const { planning, tools } = this.#toolSet;
    const { listId, location } = this.#parts.context.tasks;
    return this.#messages.init({
      apiKeySource: apiKeySource(this.#settings.env),
      claude_code_version: packageVersion(),
      cwd: this.#settings.cwd,
      tools: tools.map((tool) => tool.name),
      mcp_servers: this.#mcpServers,
      model: this.#settings.model,
      permissionMode: this.#parts.permissions.mode,
      slash_commands: [],
      output_style: 'default',
      skills: [],
      plugins: [],
      planning: { ...planning, ...(planning.mode === 'tasks' ? { listId, location } : {}) },
    });
  }

  /** One prompt up to its result, which is both yielded and returned. */
  async *run(
    prompt: MessageParam['content'],
    signal: AbortSignal,
  ): AsyncGenerator<SDKMessage, SDKResultMessage> {
    this.#signal = signal;
    const run = new RunCounts(this.#settings.maxOutputTokens);
    const end = yield* this.#steps(prompt, run);
    yield* this.#flush();
    const result = runResult(end, {
      ...this.#messages.envelope(),
      ...run.facts(),
      modelUsage: this.#usage.byModel(),
      maxTurns: this.#settings.maxTurns,
      maxOutputTokens: this.#settings.maxOutputTokens,
    });
    yield result;
    return result;
  }

  /** Ends background processes and lets go of everything. */
  async close(): Promise<void> {
    this.#jobNews.close();
    await this.#parts.context.jobs.close();
    await this.#parts.context.tasks.close();
  }

  async *#steps(prompt: MessageParam['content'], run: RunCounts): AsyncGenerator<SDKMessage, RunEnd> {
    const text = textOf(prompt);
    if (typeof prompt === 'string' ? text.trim() === '' : prompt.length === 0) {
      return { reason: 'prompt_invalid', text: 'The prompt is empty.' };
    }
    const answer = await this.#parts.hooks.run('UserPromptSubmit', { prompt: text });
    const refusal = answer.blocked ?? answer.stopped;
    if (this.#signal.aborted) return { reason: 'aborted', during: 'streaming' };
    if (refusal !== undefined) return { reason: 'prompt_blocked', text: refusal };
    const blocks = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
    const added = answer.additionalContext.map((context) => ({ type: 'text' as const, text: context }));
    this.#history.addUser([...blocks, ...added]);

    const loop = runLoop({
      model: this.#parts.model,
      body: this.#parts.body,
      history: this.#history,
      runCalls: (calls, signal) => this.#parts.dispatch.run(calls, signal),
      afterRound: (results) => this.#afterRound(results),
      beforeEnd: (lastText, times) => this.#beforeEnd(lastText, times),
      maxTurns: this.#settings.maxTurns,
      signal: this.#signal,
    });
    let step = await loop.next();
    try {
      for (; !step.done; step = await loop.next()) {
        run.count(step.value);
        yield* this.#flush();
        yield* this.#forHost(step.value);
      }
      return step.value;
    } finally {
      // Only a host that leaves in the middle comes here with the loop unfinished.
      if (!step.done) await loop.return({ reason: 'aborted', during: 'tools' });
    }
  }

  *#forHost(event: LoopEvent): Generator<SDKMessage, void> {
    switch (event.type) {
      case 'stream_event':
        if (this.#settings.options.includePartialMessages) yield this.#messages.streamEvent(event.event);
        return;
      case 'retry':
        yield this.#messages.retry(event);
        return;
      case 'answer':
        this.#usage.add(event.message);
        // An answer without content is nothing to show; its counts are in the result.
        if (event.message.content.length > 0) yield this.#messages.assistant(event.message);
        return;
      case 'call_result':
        yield this.#messages.toolResult(event.result);
        return;
      case 'added_text':
        yield this.#messages.addedText(event.text);
    }
  }

  async #afterRound(results: readonly CallResult[]): Promise<string[]> {
    this.#parts.attention.record(results.map(({ call, input, ok }) => ({ name: call.name, input, ok })));
    const reminder = await this.#parts.attention.nextReminder();
    return [...this.#jobNews.forModel(), ...(reminder === undefined ? [] : [reminder])];
  }

  async #beforeEnd(lastText: string, times: number): Promise<{ goOn?: string; stopped?: string }> {
    if (times >= MOST_STOP_BLOCKS) {
      this.#notice(`Stop hooks made the model go on ${times} times in a row; they are not asked again.`);
      return {};
    }
    const answer = await this.#parts.hooks.run('Stop', {
      stop_hook_active: times > 0,
      last_assistant_message: lastText,
      background_tasks: this.#jobNews.running(),
      session_crons: [],
    });
    if (answer.stopped !== undefined) return { stopped: answer.stopped };
    const said = [...(answer.blocked === undefined ? [] : [answer.blocked]), ...answer.additionalContext];
    return said.length > 0 ? { goOn: `Stop hook feedback:\n${said.join('\n')}` } : {};
  }

  *#flush(): Generator<SDKMessage, void> {
    for (const text of this.#notices.splice(0)) yield this.#messages.informational(text);
    for (const news of this.#jobNews.forHost()) yield this.#messages.taskNotification(news);
  }

  #notice(text: string): void {
    this.#warn(text);
    this.#notices.push(text);
  }
}

function textOf(prompt: MessageParam['content']): string {
  if (typeof prompt === 'string') return prompt;
  return prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
