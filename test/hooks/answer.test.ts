import { describe, expect, test } from 'vitest';
import { combineAnswers, type HookAnswer, type HookOutcome } from '../../src/hooks/answer.js';

const says = (answer: HookAnswer, hook = 'h'): HookOutcome => ({ hook, answer });
const decides = (permissionDecision: 'allow' | 'deny' | 'ask' | 'defer', reason?: string) =>
  says({
    hookSpecificOutput: { permissionDecision, ...(reason ? { permissionDecisionReason: reason } : {}) },
  });

describe('B56 of several hooks on one call', () => {
  test.each<[string, HookOutcome[], string | undefined]>([
    ['nobody says anything', [says({})], undefined],
    ['allow', [decides('allow'), says({})], 'allow'],
    ['ask before allow', [decides('allow'), decides('ask')], 'ask'],
    ['defer before ask', [decides('ask'), decides('defer')], 'defer'],
    ['deny before all', [decides('ask'), decides('deny'), decides('defer'), decides('allow')], 'deny'],
    ['the old words', [says({ decision: 'approve' }), says({ decision: 'block' })], 'deny'],
  ])('%s', (_name, outcomes, decision) => {
    expect(combineAnswers('PreToolUse', outcomes).decision).toBe(decision);
    expect(combineAnswers('PreToolUse', [...outcomes].reverse()).decision).toBe(decision);
  });

  test('the last registered rewrite wins, one that says nothing erases none, and ask keeps it', () => {
    const rewrite = (path: string) => says({ hookSpecificOutput: { updatedInput: { path } } });
    const combined = combineAnswers('PreToolUse', [rewrite('x'), rewrite('y'), says({}), decides('ask')]);
    expect(combined).toMatchObject({ updatedInput: { path: 'y' }, decision: 'ask' });
  });

  test('the reasons of those who gave the decision are joined', () => {
    const combined = combineAnswers('PreToolUse', [
      decides('deny', 'one'),
      decides('allow', 'no'),
      decides('deny', 'two'),
    ]);
    expect(combined.decisionReason).toBe('one\ntwo');
  });
});

describe('blocks', () => {
  test.each(['TaskCreated', 'TaskCompleted', 'Stop', 'PostToolUse', 'UserPromptSubmit'] as const)(
    'B54 on %s carry their reason, or name the hook that gave none',
    (event) => {
      expect(combineAnswers(event, [says({ decision: 'block', reason: 'red tests' })]).blocked).toBe(
        'red tests',
      );
      expect(combineAnswers(event, [says({ decision: 'block' }, 'guard')]).blocked).toBe(
        'blocked by hook guard, no reason given',
      );
      const both = combineAnswers(event, [
        says({ decision: 'block', reason: 'a' }),
        says({ decision: 'block', reason: 'b' }),
      ]);
      expect(both.blocked).toBe('a\nb');
    },
  );

  test('a failure blocks only where it is set to', () => {
    const failure = { hook: 'guard', failure: 'threw: x', timedOut: false };
    expect(combineAnswers('TaskCreated', [{ ...failure, blocks: false }])).toMatchObject({
      failures: ['guard threw: x'],
    });
    expect(combineAnswers('TaskCreated', [{ ...failure, blocks: false }]).blocked).toBeUndefined();
    expect(combineAnswers('TaskCreated', [{ ...failure, blocks: true }]).blocked).toContain('guard threw: x');
    expect(combineAnswers('PreToolUse', [{ ...failure, blocks: true }, decides('allow')]).decision).toBe(
      'deny',
    );
  });

  test('continue: false stops, and is ignored for TaskCreated', () => {
    expect(combineAnswers('Stop', [says({ continue: false, stopReason: 'enough' })]).stopped).toBe('enough');
    expect(combineAnswers('PostToolUse', [says({ continue: false }, 'g')]).stopped).toBe('stopped by hook g');
    expect(combineAnswers('TaskCreated', [says({ continue: false })]).stopped).toBeUndefined();
  });
});
