import type { z } from 'zod';

/** `todos[2].status`, the way a model finds the place. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text || 'input';
}

/** What was received, short: the type for containers, the value for the rest. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return `${typeof value} ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const value = at(input, issue.path);
  const place = formatPath(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `${place}: missing, expected ${issue.expected}`
        : `${place}: expected ${issue.expected}, received ${describeValue(value)}`;
    case 'invalid_value':
      return `${place}: received ${describeValue(value)}, allowed: ${issue.values.map((item) => JSON.stringify(item)).join(', ')}`;
    case 'unrecognized_keys':
      return `${place}: unexpected ${issue.keys.join(', ')}`;
    case 'invalid_union': {
      const nearest = [...issue.errors].sort((a, b) => a.length - b.length)[0];
      const inner = nearest?.[0];
      if (!inner) return `${place}: ${issue.message}, received ${describeValue(value)}`;
      return describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, input);
    }
    default:
      return `${place}: ${issue.message}, received ${describeValue(value)}`;
  }
}

const MOST_ISSUES = 10;

/**
 * The one form in which every tool's input errors reach the model: a line an issue with the path, what was received
 * and what is allowed.
 */
export function inputErrorText(toolName: string, error: z.ZodError, input: unknown, extra?: string): string {
  const lines = error.issues.slice(0, MOST_ISSUES).map((issue) => describeIssue(issue, input));
  const more = error.issues.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return [
    `The input of ${toolName} is not valid; nothing was done.`,
    ...lines,
    ...(extra ? [extra] : []),
  ].join('\n');
}
