import type { PermissionMode, PermissionRuleValue } from '../protocol/permissions.js';
import { allows, type CallFacts, touches } from './rule.js';

export interface RuleSet {
  allow: readonly PermissionRuleValue[];
  deny: readonly PermissionRuleValue[];
  ask: readonly PermissionRuleValue[];
}

export interface DecisionInput {
  call: CallFacts;
  rules: RuleSet;
  mode: PermissionMode;
  /** Whether the file lies in the working folders. */
  insideWorkspace: boolean;
  readOnly: boolean;
  /** What the PreToolUse hooks decided. */
  hook?: 'allow' | 'ask';
}

export type Decision =
  | { behavior: 'allow' }
  | { behavior: 'deny'; by: 'rule' | 'mode'; reason: string }
  | { behavior: 'ask'; reason: string };

/**
 * hooks → deny rules → ask rules → mode → allow rules → ask the person. Pure.
 * A hook's denial ends a call before this is asked; its `allow` still stands behind deny and ask rules.
 */
export function decide({ call, rules, mode, insideWorkspace, readOnly, hook }: DecisionInput): Decision {
  const denied = rules.deny.find((rule) => touches(rule, call));
  if (denied) return { behavior: 'deny', by: 'rule', reason: `denied by the rule ${formatRule(denied)}` };
  const asked = rules.ask.find((rule) => touches(rule, call));
  if (asked) return person(mode, `the rule ${formatRule(asked)} asks`);
  if (hook === 'ask') return person(mode, 'a hook asks');
  const { access } = call;
  // The plan is the agent's own paper; no rule is needed to write on it.
  if (access.kind === 'none') return { behavior: 'allow' };
  if (mode === 'plan' && (access.kind === 'edit' || (access.kind === 'execute' && !readOnly))) {
    return { behavior: 'deny', by: 'mode', reason: 'plan mode changes nothing and runs no commands' };
  }
  if (hook === 'allow' || mode === 'bypassPermissions') return { behavior: 'allow' };
  if (access.kind === 'read' && (access.path === undefined || insideWorkspace)) return { behavior: 'allow' };
  if (mode === 'acceptEdits' && access.kind === 'edit' && insideWorkspace) return { behavior: 'allow' };
  if (rules.allow.some((rule) => allows(rule, call))) return { behavior: 'allow' };
  const outside = access.kind !== 'execute' && !insideWorkspace ? ' outside of the working folders' : '';
  return person(mode, `no rule allows ${call.toolName}${outside}`);
}

function person(mode: PermissionMode, reason: string): Decision {
  if (mode === 'dontAsk')
    return { behavior: 'deny', by: 'mode', reason: `${reason}, and the mode dontAsk asks nobody` };
  return { behavior: 'ask', reason };
}

export function formatRule(rule: PermissionRuleValue): string {
  return rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`;
}
