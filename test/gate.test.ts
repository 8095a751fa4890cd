import { describe, expect, test } from 'vitest';
import { configDir, readFlag } from '../src/environment.js';
import { decidePlanning, explainTodoGate, isAgentSwarmsEnabled, isTodoV2Enabled } from '../src/gate.js';

const SWITCH = 'CLAUDE_CODE_ENABLE_TASKS';
const TRUE = ['1', 'true', 'yes', 'on', 'TRUE', 'Yes', ' on ', '\tTrue\n'];
const FALSE = ['0', 'false', 'no', 'off', 'FALSE', 'No', ' off '];
const NEITHER = [undefined, '', '  ', '2', 'y', 'tasks', 'null', '10', 'true!'];

describe('the gate', () => {
  const rows: Array<[string | undefined, boolean, boolean]> = [
    ...TRUE.flatMap(
      (value): Array<[string, boolean, boolean]> => [
        [value, true, true],
        [value, false, true],
      ],
    ),
    ...FALSE.flatMap(
      (value): Array<[string, boolean, boolean]> => [
        [value, true, false],
        [value, false, false],
      ],
    ),
    ...NEITHER.flatMap(
      (value): Array<[string | undefined, boolean, boolean]> => [
        [value, true, true],
        [value, false, false],
      ],
    ),
  ];
  test.each(rows)('%j, interactive %s: V2 %s', (value, interactive, v2) => {
    const inputs = { env: { [SWITCH]: value }, interactive };
    expect(isTodoV2Enabled(inputs)).toBe(v2);
    expect(explainTodoGate(inputs).enabled).toBe(v2);
    expect(decidePlanning('auto', inputs).mode).toBe(v2 ? 'tasks' : 'todo');
  });

  test.each([
    [{ [SWITCH]: ' Yes ' }, false, `${SWITCH}=Yes`],
    [{ [SWITCH]: 'off' }, true, `${SWITCH}=off`],
    [{}, true, 'interactive session'],
    [{}, false, 'non-interactive session'],
    [{ [SWITCH]: 'maybe' }, false, `non-interactive session (${SWITCH}="maybe" is neither true nor false)`],
  ])('%j, interactive %s: because of %s', (env, interactive, reason) => {
    expect(explainTodoGate({ env, interactive }).reason).toBe(reason);
  });

  test("the host's word goes before it, and is named", () => {
    const inputs = { env: { [SWITCH]: '1' }, interactive: true };
    expect(decidePlanning('todo', inputs)).toEqual({ mode: 'todo', reason: "options.planning = 'todo'" });
    expect(decidePlanning('off', inputs).mode).toBe('off');
  });

  test('without inputs it is that of this process, asked without a person', () => {
    expect(isTodoV2Enabled()).toBe(readFlag(process.env[SWITCH]) ?? false);
  });
});

test.each([
  [{}, undefined, false],
  [{ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }, undefined, true],
  [{ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '0' }, undefined, false],
  [{}, 'crew', true],
  [{}, ' ', false],
])('several agents share a list: %j, team %j: %s', (env, team, enabled) => {
  expect(isAgentSwarmsEnabled({ env, team })).toBe(enabled);
});

test('the config folder is CLAUDE_CONFIG_DIR, else .claude at home', () => {
  expect(configDir({ CLAUDE_CONFIG_DIR: '/x/y' })).toBe('/x/y');
  expect(configDir({ CLAUDE_CONFIG_DIR: ' ', HOME: '/home/me' })).toBe('/home/me/.claude');
});
