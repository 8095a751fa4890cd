import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import type ignore from 'ignore';
import { WaymarkError } from '../errors.js';
import type { PermissionRuleValue } from '../protocol/permissions.js';
import type { ToolAccess } from '../tool.js';

/** What a rule is held against: one call with what it touches. */
export interface CallFacts {
  toolName: string;
  access: ToolAccess;
  /** The real path of a file the call reads or edits, links resolved. */
  realPath?: string;
  cwd: string;
}

/**
 * Reads `Tool` or `Tool(specifier)`.
 *
 * @throws WaymarkError `invalid_options` for anything else.
 */
export function parseRule(text: string): PermissionRuleValue {
  const match = /^\s*([\w.*-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!match?.[1]) {
    throw new WaymarkError(
      'invalid_options',
      `Not a permission rule: ${JSON.stringify(text)}. Write Tool or Tool(specifier).`,
    );
  }
  const content = match[2]?.trim();
  return { toolName: match[1], ...(content && content !== '*' ? { ruleContent: content } : {}) };
}

function namesTool(pattern: string, toolName: string, globs: 'any' | 'after_server'): boolean {
  if (pattern === toolName) return true;
  // A rule that names a server means all of its tools.
  if (/^mcp__[^_*]+(?:_[^_*]+)*$/.test(pattern)) return toolName.startsWith(`${pattern}__`);
  if (!pattern.endsWith('*')) return false;
  // An allow rule may use a star only behind a named server: `mcp__*` would let in servers nobody thought of.
  if (globs === 'after_server' && !/^mcp__.+__/.test(pattern)) return false;
  return toolName.startsWith(pattern.slice(0, -1));
}

/** Whether an allow rule covers the whole call. When in doubt it does not. */
export function allows(rule: PermissionRuleValue, call: CallFacts): boolean {
  if (!namesTool(rule.toolName, call.toolName, 'after_server')) return false;
  if (rule.ruleContent === undefined) return true;
  if (call.access.kind === 'execute') {
    const command = call.access.command;
    return (
      command !== undefined && isPlainCommand(command) && startsWithCommand(command.trim(), rule.ruleContent)
    );
  }
  return call.realPath !== undefined && coversPath(rule.ruleContent, call.realPath, call.cwd);
}

/** Whether a deny (or ask) rule touches any part of the call. When in doubt it does. */
export function touches(rule: PermissionRuleValue, call: CallFacts): boolean {
  if (!namesTool(rule.toolName, call.toolName, 'any')) return false;
  if (rule.ruleContent === undefined) return true;
  if (call.access.kind === 'execute') {
    return call.access.command === undefined || mentionsCommand(call.access.command, rule.ruleContent);
  }
  return call.realPath === undefined || coversPath(rule.ruleContent, call.realPath, call.cwd);
}

// Anything that can hold a second command, a substitution, a redirect or a variable is not a plain command.
function isPlainCommand(command: string): boolean {
  return !/[;&|<>$`\n\r(){}\\]/.test(command.trim()) && !/^\s*\w+=/.test(command);
}

/** `git log:*` and `git log *` are prefixes of whole words; a text without a star is the exact command. */
function startsWithCommand(command: string, specifier: string): boolean {
  const prefix = prefixOf(specifier);
  if (prefix === undefined) return command === specifier;
  return prefix === '' || command === prefix || command.startsWith(`${prefix} `);
}

function prefixOf(specifier: string): string | undefined {
  return /^(.*?)(?::| )?\*$/s.exec(specifier)?.[1]?.trim();
}

/** Whether the words of a denied prefix stand anywhere in the command, behind whatever wrapper, path or separator. */
function mentionsCommand(command: string, specifier: string): boolean {
  const wanted = words(prefixOf(specifier) ?? specifier);
  if (wanted.length === 0) return true;
  const found = words(command);
  return found.some((_, start) =>
    wanted.every((word, offset) => {
      const other = found[start + offset];
      return other !== undefined && (other === word || (offset === 0 && other.endsWith(`/${word}`)));
    }),
  );
}

// Quotes and backslashes inside a word do not change the command that runs: r\m and 'rm' are rm.
function words(command: string): string[] {
  return command
    .replace(/["'\\]/g, '')
    .split(/[\s;&|<>$`(){}]+/)
    .filter(Boolean);
}

/** Gitignore patterns: `//abs`, `~/home`, everything else below the working folder. */
function coversPath(specifier: string, realPath: string, cwd: string): boolean {
  let root = cwd;
  let pattern = specifier;
  if (specifier.startsWith('//')) [root, pattern] = ['/', specifier.slice(1)];
  else if (specifier.startsWith('~/')) [root, pattern] = [homedir(), specifier.slice(1)];
  else if (specifier.startsWith('./')) pattern = specifier.slice(1);
  else if (isAbsolute(specifier)) pattern = specifier;
  const inside = relative(root, realPath);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return false;
  return ignorePatterns()().add(pattern).ignores(join(inside));
}

// Loaded with the first rule that names a path: most sessions have none, and every start would wait for it.
function ignorePatterns(): typeof ignore {
  return createRequire(import.meta.url)('ignore') as typeof ignore;
}
