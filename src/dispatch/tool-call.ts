import { withGrace } from '../abort.js';
import type { Clock } from '../environment.js';
import { errorText } from '../errors.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { Permissions } from '../permissions/permissions.js';
import type { ToolResultBlockParam, ToolUseBlock } from '../protocol/api.js';
import type { PermissionDenial } from '../protocol/permissions.js';
import { inputErrorText } from '../schema/input-error.js';
import type { AnyTool, ToolContext, ToolResult } from '../tool.js';
import { type CallResult, type CheckedCall, failedCall, type RequestedCall } from './call-result.js';
import { capText, contentText, plainData, resultContent, type SaveText } from './result-content.js';

export interface CallParts {
  tools: readonly AnyTool[];
  context: Omit<ToolContext, 'toolUseId' | 'signal'>;
  hooks: SessionHooks;
  permissions: Permissions;
  /** Longest text of a result in characters. */
  maxResultChars: number;
  /** What to say about a name that no tool answers to, beside the names that do. */
  explainUnknown: (name: string) => string | undefined;
  clock: Clock;
  /** How long a running call may take to end after an interrupt, in milliseconds. */
  graceMs: number;
}

/** Hooks' texts are cut at this length, as Claude Code does. */
const MAX_HOOK_CHARS = 10_000;

/** One call in its phases: check, permit, execute, finish. None throws: whatever goes wrong is the call's result. */
export class ToolCall {
  readonly #parts: CallParts;
  readonly #context: ToolContext;
  readonly #block: ToolUseBlock;
  readonly #broken: string | undefined;

  constructor(parts: CallParts, requested: RequestedCall, signal: AbortSignal) {
    this.#parts = parts;
    this.#block = requested.block;
    this.#broken = requested.broken;
    this.#context = { ...parts.context, toolUseId: requested.block.id, signal };
  }

  /** Finds the tool, repairs and validates the input. */
  check(): Promise<CheckedCall | CallResult> {
    return this.#guarded(async () => {
      const { name, input } = this.#block;
      const tool = this.#parts.tools.find((known) => known.name === name || known.aliases?.includes(name));
      if (!tool) return this.failed(this.#unknownText(name));
      if (this.#broken !== undefined)
        return this.failed(`${this.#broken}\nNothing was done. Send the call again.`);
      const parsed = await this.#parse(tool, input);
      return typeof parsed === 'string'
        ? this.failed(parsed)
        : { tool, block: this.#block, input: parsed, texts: [] };
    });
  }

  /** Asks the PreToolUse hooks, the rules and the person. Input that one of them changes is validated again. */
  permit(checked: CheckedCall): Promise<CheckedCall | CallResult> {
    return this.#guarded(async () => {
      const { hooks, permissions } = this.#parts;
      const { tool, block } = checked;
      const facts = { tool_name: tool.name, tool_input: checked.input, tool_use_id: block.id };
      const answer = await hooks.run('PreToolUse', facts, tool.name, block.id);
      if (this.#context.signal.aborted) return this.interrupted();
      const texts = await this.#hookTexts('PreToolUse', answer.additionalContext);
      if (answer.stopped !== undefined) {
        const stop = { by: 'hook' as const, text: answer.stopped };
        return {
          ...this.failed(`Not run: a PreToolUse hook stopped the run: ${answer.stopped}`),
          texts,
          stop,
        };
      }
      if (answer.decision === 'deny' || answer.decision === 'defer') {
        const deferred = 'a hook deferred the call, and this version cannot take it up later';
        const reason = answer.decisionReason ?? (answer.decision === 'defer' ? deferred : 'no reason given');
        return { ...this.#denied(`Denied by a PreToolUse hook: ${reason}`, 'hook', checked.input), texts };
      }
      let { input } = checked;
      if (answer.updatedInput) {
        const parsed = await this.#parse(tool, answer.updatedInput);
        if (typeof parsed === 'string') return this.failed(`A PreToolUse hook changed the input. ${parsed}`);
        input = parsed;
      }
      const verdict = await permissions.check(tool, input, this.#context, answer.decision);
      if (this.#context.signal.aborted) return this.interrupted();
      if (!verdict.allowed) return { ...this.#refused(verdict, input), texts };
      if (verdict.updatedInput) {
        const parsed = await this.#parse(tool, verdict.updatedInput);
        if (typeof parsed === 'string') return this.failed(`The input was changed on approval. ${parsed}`);
        const forbidden = await permissions.forbids(tool, parsed, this.#context);
        if (forbidden) return { ...this.#refused(forbidden, parsed), texts };
        input = parsed;
      }
      return { ...checked, input, texts };
    });
  }

  /** Runs the tool, tells the hooks, shapes the result. */
  async execute({ tool, input, texts }: CheckedCall): Promise<CallResult> {
    const { signal } = this.#context;
    if (signal.aborted) return this.interrupted();
    const started = this.#parts.clock();
    const outcome = await this.#call(tool, input).catch((error: unknown): CallResult => {
      const text = errorText(error);
      return this.failed(signal.aborted ? `Interrupted: ${text}` : text);
    });
    const finished = { ...outcome, input, texts };
    return this.#afterHooks(tool, finished, this.#parts.clock() - started).catch((error: unknown) => {
      const text = `The hooks after ${tool.name} failed: ${errorText(error)}`;
      return { ...finished, texts: [...texts, text] };
    });
  }

  failed(text: string): CallResult {
    return failedCall(this.#block, text);
  }

  interrupted(): CallResult {
    return this.failed('Interrupted before it ran; nothing was done.');
  }

  async #call(tool: AnyTool, input: Record<string, unknown>): Promise<CallResult> {
    const { signal } = this.#context;
    const running = Promise.resolve().then(() => tool.call(input, this.#context));
    const value: ToolResult | undefined = await withGrace(running, signal, this.#parts.graceMs);
    if (typeof value !== 'object' || value === null) throw new Error(`${tool.name} gave no result.`);
    const limit = tool.maxResultChars ?? this.#parts.maxResultChars;
    const content = await resultContent(value.content, limit, this.#save(tool.name));
    const isError = value.isError === true;
    const result: ToolResultBlockParam = {
      type: 'tool_result',
      tool_use_id: this.#block.id,
      // The API takes only text in a failed result.
      content: isError ? contentText(content) || 'The call failed without a message.' : content,
      ...(isError ? { is_error: true } : {}),
    };
    return { call: this.#block, input, result, data: plainData(value.data), ok: !isError, texts: [] };
  }

  async #afterHooks(tool: AnyTool, done: CallResult, durationMs: number): Promise<CallResult> {
    const { hooks } = this.#parts;
    const facts = {
      tool_name: tool.name,
      tool_input: done.input as Record<string, unknown>,
      tool_use_id: this.#block.id,
      duration_ms: durationMs,
    };
    const event = done.ok ? 'PostToolUse' : 'PostToolUseFailure';
    const error = contentText(done.result.content);
    const answer = done.ok
      ? await hooks.run('PostToolUse', { ...facts, tool_response: done.data }, tool.name, this.#block.id)
      : await hooks.run(
          'PostToolUseFailure',
          { ...facts, error, is_interrupt: this.#context.signal.aborted },
          tool.name,
          this.#block.id,
        );
    const said = [...(answer.blocked === undefined ? [] : [answer.blocked]), ...answer.additionalContext];
    const texts = [...done.texts, ...(await this.#hookTexts(event, said))];
    const finished = { ...done, texts };
    if (answer.stopped !== undefined) finished.stop = { by: 'hook', text: answer.stopped };
    if (!done.ok || !answer.updatedToolOutput) return finished;
    const { value } = answer.updatedToolOutput;
    const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const content = await resultContent(shown, this.#parts.maxResultChars, this.#save(tool.name));
    return { ...finished, data: plainData(value), result: { ...done.result, content } };
  }

  /** The input as the tool takes it, or the error text for the model. */
  async #parse(tool: AnyTool, given: unknown): Promise<Record<string, unknown> | string> {
    const input = tool.repair ? tool.repair(given) : given;
    const parsed = await tool.inputSchema.safeParseAsync(input);
    if (parsed.success) return parsed.data as Record<string, unknown>;
    const extra = await tool.explainInvalid?.(input, this.#context);
    return inputErrorText(tool.name, parsed.error, input, extra);
  }

  #unknownText(name: string): string {
    const names = this.#parts.tools.map((tool) => tool.name).join(', ');
    const hint = this.#parts.explainUnknown(name);
    return [`There is no tool ${name}.`, hint, `Available: ${names || 'none'}.`].filter(Boolean).join(' ');
  }

  #denied(text: string, by: PermissionDenial['denied_by'], input: Record<string, unknown>): CallResult {
    const denial: PermissionDenial = {
      tool_name: this.#block.name,
      tool_use_id: this.#block.id,
      tool_input: input,
      denied_by: by,
    };
    return { ...this.failed(text), input, denial };
  }

  #refused(
    verdict: { by: PermissionDenial['denied_by']; message: string; interrupt: boolean },
    input: Record<string, unknown>,
  ): CallResult {
    const denied = this.#denied(verdict.message, verdict.by, input);
    return verdict.interrupt ? { ...denied, stop: { by: 'person', text: verdict.message } } : denied;
  }

  #hookTexts(event: string, texts: readonly string[]): Promise<string[]> {
    return Promise.all(
      texts.map((text) => capText(`${event} hook feedback:\n${text}`, MAX_HOOK_CHARS, this.#save(event))),
    );
  }

  #save(name: string): SaveText {
    return (text) => this.#context.workspace.saveOutput(text, `${name}-${this.#block.id}.txt`);
  }

  async #guarded<T>(phase: () => Promise<T | CallResult>): Promise<T | CallResult> {
    try {
      return await phase();
    } catch (error) {
      return this.failed(errorText(error));
    }
  }
}
