import { z } from 'zod';
import { untilAborted } from '../abort.js';
import { newId } from '../environment.js';
import { errorText } from '../errors.js';
import type {
  CanUseTool,
  PermissionDenial,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from '../protocol/permissions.js';
import { PERMISSION_MODES } from '../protocol/permissions.js';
import { formatPath } from '../schema/input-error.js';
import type { AnyTool, ToolContext } from '../tool.js';
import { type Decision, decide, formatRule } from './decide.js';
import { type CallFacts, parseRule } from './rule.js';

const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']);
const ruleValue = z.object({ toolName: z.string().min(1), ruleContent: z.string().optional() });
const updateSchema: z.ZodType<PermissionUpdate> = z.union([
  z.object({
    type: z.enum(['addRules', 'replaceRules', 'removeRules']),
    rules: z.array(ruleValue),
    behavior: z.enum(['allow', 'deny', 'ask']),
    destination,
  }),
  z.object({ type: z.literal('setMode'), mode: z.enum(PERMISSION_MODES), destination }),
  z.object({
    type: z.enum(['addDirectories', 'removeDirectories']),
    directories: z.array(z.string()),
    destination,
  }),
]);
const answerSchema = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), z.unknown()).nullish(),
    updatedPermissions: z.array(updateSchema).nullish(),
  }),
  z.object({ behavior: z.literal('deny'), message: z.string().nullish(), interrupt: z.boolean().nullish() }),
]);

export type Verdict =
  | { allowed: true; updatedInput?: Record<string, unknown> }
  | { allowed: false; by: PermissionDenial['denied_by']; message: string; interrupt: boolean };

export interface PermissionsOptions {
  mode: PermissionMode;
  allowedTools: readonly string[];
  disallowedTools: readonly string[];
  canUseTool: CanUseTool | undefined;
  /** Told what an approval asked for that does not happen here. */
  notice: (text: string) => void;
}

/** The rules of a session and the person behind them. */
export class Permissions {
  mode: PermissionMode;
  readonly #rules: Record<'allow' | 'deny' | 'ask', PermissionRuleValue[]>;
  readonly #canUseTool: CanUseTool | undefined;
  readonly #notice: (text: string) => void;

  /** @throws WaymarkError `invalid_options` that names a rule that cannot be read. */
  constructor(options: PermissionsOptions) {
    this.mode = options.mode;
    this.#rules = {
      allow: options.allowedTools.map(parseRule),
      deny: options.disallowedTools.map(parseRule),
      ask: [],
    };
    this.#canUseTool = options.canUseTool;
    this.#notice = options.notice;
  }

  /** Decides one call, asking the person where that is needed. Never throws. */
  async check(
    tool: AnyTool,
    input: Record<string, unknown>,
    context: ToolContext,
    hook: 'allow' | 'ask' | undefined,
  ): Promise<Verdict> {
    const readOnly = tool.isReadOnly?.(input) === true;
    const { call, insideWorkspace } = await this.#facts(tool, input, context);
    const decision = decide({
      call,
      rules: this.#rules,
      mode: this.mode,
      insideWorkspace,
      readOnly,
      ...(hook ? { hook } : {}),
    });
    if (decision.behavior === 'allow') return { allowed: true };
    if (decision.behavior === 'deny') return denied(decision);
    return this.#ask(tool, input, context, decision, call);
  }

  /** Why a rule or the mode forbids the call whatever a person says, or undefined. For input that was changed after `check`. */
  async forbids(
    tool: AnyTool,
    input: Record<string, unknown>,
    context: ToolContext,
  ): Promise<Extract<Verdict, { allowed: false }> | undefined> {
    const decision = decide({
      ...(await this.#facts(tool, input, context)),
      rules: { ...this.#rules, ask: [] },
      mode: this.mode,
      readOnly: tool.isReadOnly?.(input) === true,
      hook: 'allow',
    });
    return decision.behavior === 'deny' ? denied(decision) : undefined;
  }

  async #facts(
    tool: AnyTool,
    input: unknown,
    context: ToolContext,
  ): Promise<{ call: CallFacts; insideWorkspace: boolean }> {
    const access = tool.access?.(input, context) ?? { kind: 'execute' as const };
    const call: CallFacts = { toolName: tool.name, access, cwd: context.workspace.cwd };
    const path = access.kind === 'read' || access.kind === 'edit' ? access.path : undefined;
    if (path === undefined) return { call, insideWorkspace: false };
    try {
      call.realPath = await context.workspace.realPath(path);
      const { workspace } = context;
      const insideWorkspace =
        access.kind === 'read'
          ? await workspace.containsForReading(call.realPath)
          : await workspace.contains(call.realPath);
      return { call, insideWorkspace };
    } catch {
      // A path that cannot be resolved (a loop of links) is nobody's working folder; the tool itself says what is wrong.
      return { call, insideWorkspace: false };
    }
  }

  async #ask(
    tool: AnyTool,
    input: Record<string, unknown>,
    context: ToolContext,
    decision: Extract<Decision, { behavior: 'ask' }>,
    call: CallFacts,
  ): Promise<Verdict> {
    const deny = (by: PermissionDenial['denied_by'], message: string, interrupt = false): Verdict => ({
      allowed: false,
      by,
      message,
      interrupt,
    });
    if (!this.#canUseTool) {
      return deny(
        'nobody',
        `Permission denied: ${decision.reason}, and nobody is there to be asked. Do not try this call again; go on without it or say what is missing.`,
      );
    }
    const suggestion: PermissionRuleValue = { toolName: tool.name };
    if (call.access.kind === 'execute' && call.access.command) suggestion.ruleContent = call.access.command;
    try {
      const asked = Promise.resolve(
        this.#canUseTool(tool.name, structuredClone(input), {
          signal: context.signal,
          suggestions: [{ type: 'addRules', rules: [suggestion], behavior: 'allow', destination: 'session' }],
          ...(call.realPath ? { blockedPath: call.realPath } : {}),
          decisionReason: decision.reason,
          toolUseID: context.toolUseId,
          ...(context.agentId ? { agentID: context.agentId } : {}),
          requestId: newId(),
        }),
      );
      const answer = await untilAborted(asked, context.signal);
      const parsed = answerSchema.safeParse(answer);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        return deny(
          'person',
          `Permission denied: the answer of canUseTool is not valid (${formatPath(issue?.path ?? [])}: ${issue?.message}).`,
        );
      }
      if (parsed.data.behavior === 'deny') {
        const message = parsed.data.message?.trim() || 'The user denied this call.';
        return deny('person', message, parsed.data.interrupt === true);
      }
      for (const update of parsed.data.updatedPermissions ?? []) this.#apply(update);
      return {
        allowed: true,
        ...(parsed.data.updatedInput ? { updatedInput: parsed.data.updatedInput } : {}),
      };
    } catch (error) {
      return deny('person', `Permission denied: canUseTool failed: ${errorText(error)}.`);
    }
  }

  #apply(update: PermissionUpdate): void {
    if (update.destination !== 'session') {
      this.#notice(
        `A permission update for ${update.destination} holds for this session only: settings files are not written.`,
      );
    }
    switch (update.type) {
      case 'setMode':
        this.mode = update.mode;
        return;
      case 'addDirectories':
      case 'removeDirectories':
        this.#notice(`The permission update ${update.type} is not supported and had no effect.`);
        return;
      default:
        this.#changeRules(update);
    }
  }

  #changeRules({ type, rules, behavior }: Extract<PermissionUpdate, { rules: unknown }>): void {
    const given = new Set(rules.map(formatRule));
    const kept =
      type === 'replaceRules' ? [] : this.#rules[behavior].filter((rule) => !given.has(formatRule(rule)));
    this.#rules[behavior] = type === 'removeRules' ? kept : [...kept, ...rules];
  }
}

function denied(decision: Extract<Decision, { behavior: 'deny' }>): Extract<Verdict, { allowed: false }> {
  const message = `Permission denied: ${decision.reason}.`;
  return { allowed: false, by: decision.by, interrupt: false, message };
}
