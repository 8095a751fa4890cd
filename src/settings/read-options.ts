import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { remindersOptionSchema } from '../attention/settings.js';
import { type Environment, environment, newId } from '../environment.js';
import { systemCode, WaymarkError } from '../errors.js';
import type { Options } from '../protocol/options.js';
import { PERMISSION_MODES, type PermissionMode } from '../protocol/permissions.js';
import { formatPath } from '../schema/input-error.js';
import { flagOptions } from './extra-args.js';

const names = z.array(z.string().trim().min(1));
const isFunction = (value: unknown) => typeof value === 'function';
const isEnvironment = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => text === undefined || typeof text === 'string');

/** A check for each option there is: one that is missing here does not compile, so none can be accepted unseen. */
const CHECKS = {
  abortController: z.instanceof(AbortController),
  additionalDirectories: names,
  agentName: z.string().trim().min(1),
  allowDangerouslySkipPermissions: z.boolean(),
  allowedTools: names,
  canUseTool: z.custom(isFunction, 'must be a function'),
  cwd: z.string().min(1),
  disallowedTools: names,
  // `process.env` is no plain object, so it is checked by what it holds.
  env: z.custom(isEnvironment, 'must be an object whose values are texts'),
  extraArgs: z.record(z.string(), z.string().nullable()),
  hooks: z.record(z.string(), z.array(z.unknown()).optional()),
  includePartialMessages: z.boolean(),
  interactive: z.boolean(),
  maxOutputTokens: z.int().min(1),
  maxToolResultChars: z.int().min(1000),
  maxTurns: z.int().min(1),
  mcpServers: z.record(z.string().min(1), z.looseObject({ type: z.string().optional() })),
  model: z.string().trim().min(1),
  permissionMode: z.enum(PERMISSION_MODES),
  planning: z.enum(['auto', 'todo', 'tasks', 'off']),
  reminders: remindersOptionSchema,
  sessionId: z.uuid(),
  stderr: z.custom(isFunction, 'must be a function'),
  systemPrompt: z.union([
    z.string(),
    z.array(z.string()),
    z.strictObject({
      type: z.literal('preset'),
      preset: z.literal('claude_code'),
      append: z.string().optional(),
    }),
  ]),
  tasks: z.strictObject({
    listId: z.string().trim().min(1).optional(),
    dir: z.string().trim().min(1).optional(),
    lockWaitMs: z.int().min(0).optional(),
  }),
  team: z.string().trim().min(1),
  tools: z.union([
    z.array(z.string()),
    z.strictObject({ type: z.literal('preset'), preset: z.literal('claude_code') }),
  ]),
  verificationNudge: z.boolean(),
} satisfies Record<keyof Options, z.ZodType>;

const MODEL_ALIASES: Readonly<Record<string, string>> = {
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
};

/** Options with their defaults filled in. */
export interface Settings {
  options: Options;
  env: Environment;
  /** Absolute. */
  cwd: string;
  model: string;
  sessionId: string;
  permissionMode: PermissionMode;
  maxTurns: number;
  maxOutputTokens: number;
  maxToolResultChars: number;
  agentName: string | undefined;
  /** Options that have no effect in this version, a sentence each. */
  warnings: string[];
}

/**
 * Checks what a host gave and fills in the defaults.
 *
 * @throws WaymarkError `invalid_options` that names every option with a wrong value.
 */
export function readOptions(given: Options = {}): Settings {
  const flags = flagOptions(given.extraArgs ?? {});
  const options = { ...flags.options, ...withoutUndefined(given) };
  const warnings = [...flags.warnings];
  const unknown = Object.keys(options).filter((name) => !(name in CHECKS));
  for (const name of unknown) {
    warnings.push(`options.${name} is not supported in this version and has no effect.`);
  }
  check(options);
  const env = environment(options.env);
  const permissionMode = options.permissionMode ?? 'default';
  if (permissionMode === 'bypassPermissions' && options.allowDangerouslySkipPermissions !== true) {
    throw new WaymarkError(
      'invalid_options',
      "options.permissionMode 'bypassPermissions' needs allowDangerouslySkipPermissions: true.",
    );
  }
  const model = options.model?.trim() || env.ANTHROPIC_MODEL?.trim() || 'sonnet';
  return {
    options,
    env,
    cwd: folder(options.cwd ?? '.'),
    model: MODEL_ALIASES[model] ?? model,
    sessionId: options.sessionId ?? newId(),
    permissionMode,
    maxTurns: options.maxTurns ?? Number.POSITIVE_INFINITY,
    maxOutputTokens: options.maxOutputTokens ?? 32_000,
    maxToolResultChars: options.maxToolResultChars ?? 30_000,
    agentName: options.agentName?.trim() || env.CLAUDE_CODE_AGENT_NAME?.trim() || undefined,
    warnings,
  };
}

function check(options: Options): void {
  const problems = Object.entries(CHECKS).flatMap(([name, schema]) => {
    const value = options[name as keyof Options];
    const parsed = value === undefined ? undefined : schema.safeParse(value);
    return (parsed?.error?.issues ?? []).map(
      (issue) => `options.${formatPath([name, ...issue.path])}: ${issue.message}`,
    );
  });
  if (problems.length > 0) throw new WaymarkError('invalid_options', problems.join('\n'));
}

function withoutUndefined(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function folder(path: string): string {
  const absolute = resolve(path);
  const problem = folderProblem(absolute);
  if (problem) throw new WaymarkError('invalid_options', `options.cwd: ${absolute} ${problem}.`);
  return absolute;
}

function folderProblem(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'is no folder';
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be used (${systemCode(error)})`;
  }
}
