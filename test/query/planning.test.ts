import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSdkMcpServer, tool } from '../../src/mcp/sdk-server.js';
import type { HookCallback, HookInput, HookMatchers } from '../../src/protocol/hooks.js';
import type { Options } from '../../src/protocol/options.js';
import { answer, type Step } from '../../src/testing/index.js';
import { lastMessage, place, runQuery, toolResults } from '../support/run-query.js';

const work = createSdkMcpServer({
  name: 'w',
  tools: [tool('work', 'Works.', {}, () => ({ content: [{ type: 'text', text: 'worked' }] }))],
});
const base: Options = { mcpServers: { w: work }, allowedTools: ['mcp__w'] };
const round = answer({ toolUses: [{ name: 'mcp__w__work', input: {} }] });
const todos = (...items: Array<[content: string, status: string]>): Step =>
  answer({
    toolUses: [
      {
        name: 'TodoWrite',
        input: { todos: items.map(([content, status]) => ({ content, status, activeForm: content })) },
      },
    ],
  });
const rounds = (count: number): Step[] => Array.from({ length: count }, () => round);
const end = answer({ text: 'Done.' });

/** In which requests, from 0, the newest message ends with a reminder. */
function reminded(run: Awaited<ReturnType<typeof runQuery>>): number[] {
  return run.server.requests.flatMap((request, index) =>
    JSON.stringify(request.body.messages.at(-1)).includes('<system-reminder>') ? [index] : [],
  );
}

describe('which mode is on', () => {
  test.each<[string, Options, Record<string, string>, string, string]>([
    ['a program gets V1', {}, {}, 'todo', 'non-interactive session'],
    ['the switch brings V2', {}, { CLAUDE_CODE_ENABLE_TASKS: '1' }, 'tasks', 'CLAUDE_CODE_ENABLE_TASKS=1'],
    ['an interactive host gets V2', { interactive: true }, {}, 'tasks', 'interactive session'],
    [
      "the host's word goes before the switch",
      { planning: 'off' },
      { CLAUDE_CODE_ENABLE_TASKS: '1' },
      'off',
      "options.planning = 'off'",
    ],
  ])('%s, and init says why', async (_name, options, env, mode, reason) => {
    const where = place();
    Object.assign(where.env, env);
    const run = await runQuery({ options, where, steps: [end] });
    expect(run.messages[0]).toMatchObject({ type: 'system', subtype: 'init', planning: { mode, reason } });
    const offered = JSON.stringify(run.server.requests[0]?.body.tools);
    expect(offered.includes('"TodoWrite"')).toBe(mode === 'todo');
    expect(offered.includes('"TaskCreate"')).toBe(mode === 'tasks');
    const system = JSON.stringify(run.server.requests[0]?.body.system);
    expect([system.includes('TodoWrite'), system.includes('TaskCreate')]).toEqual([
      mode === 'todo',
      mode === 'tasks',
    ]);
    where.remove();
  });

  test('a change of the environment in mid-session changes nothing', async () => {
    const where = place();
    const run = await runQuery({
      options: base,
      where,
      steps: [round, end],
      onMessage: () => {
        where.env.CLAUDE_CODE_ENABLE_TASKS = '1';
      },
    });
    const [first, second] = run.server.requests.map((request) => JSON.stringify(request.body.tools));
    expect(second).toBe(first);
    where.remove();
  });

  test('a planning tool that the mode does not offer is named once on stderr, with its switch', async () => {
    const run = await runQuery({ options: { tools: ['TaskCreate'] }, steps: [end] });
    expect(run.warnings).toEqual([
      expect.stringMatching(/TaskCreate is not offered.*CLAUDE_CODE_ENABLE_TASKS=1/),
    ]);
  });

  test('a call to a tool of the other mode is told the switch', async () => {
    const run = await runQuery({
      options: {},
      steps: [answer({ toolUses: [{ name: 'TaskList', input: {} }] }), end],
    });
    expect(toolResults(run)).toMatchObject([
      { is_error: true, content: expect.stringContaining('CLAUDE_CODE_ENABLE_TASKS=1') },
    ]);
  });
});

test('V1: the list is shown in the result, structured for the host, kept for the session, and no file is made', async () => {
  const where = place();
  const run = await runQuery({
    where,
    steps: [
      todos(['A', 'in_progress'], ['B', 'pending']),
      todos(['A', 'completed'], ['B', 'completed']),
      end,
    ],
  });
  const structured = run.messages.flatMap((message) =>
    message.type === 'user' ? [message.tool_use_result] : [],
  );
  expect(structured).toMatchObject([
    { oldTodos: [], newTodos: [{ content: 'A' }, { content: 'B' }] },
    {
      oldTodos: [{ content: 'A' }, { content: 'B' }],
      newTodos: [{ status: 'completed' }, { status: 'completed' }],
    },
  ]);
  expect(toolResults(run)[0]?.content).toMatch(/in_progress.*A[\s\S]*pending.*B/);
  expect(existsSync(join(where.env.CLAUDE_CONFIG_DIR ?? '', 'tasks'))).toBe(false);
  where.remove();
});

test('V2: four tools on one list on disk, which init names', async () => {
  const where = place();
  const call = (name: string, input: object) => answer({ toolUses: [{ name, input }] });
  const run = await runQuery({
    where,
    options: { planning: 'tasks', tasks: { listId: 'release' } },
    steps: [
      answer({
        toolUses: [
          { name: 'TaskCreate', input: { subject: 'one', description: 'first' } },
          { name: 'TaskCreate', input: { subject: 'two', description: 'second' } },
        ],
      }),
      call('TaskUpdate', { taskId: '1', status: 'in_progress' }),
      call('TaskList', {}),
      call('TaskGet', { taskId: '2' }),
      end,
    ],
  });
  const texts = toolResults(run).map((block) => block.content);
  expect(texts[0]).toContain('Task #1 created successfully: one');
  expect(texts[1]).toContain('Task #2 created successfully: two');
  expect(texts[2]).toContain('Updated task #1 status');
  expect(texts[3]).toBe('#1 [in_progress] one\n#2 [pending] two');
  expect(texts[4]).toContain('Task #2: two');
  const list = join(where.env.CLAUDE_CONFIG_DIR ?? '', 'tasks', 'release');
  expect(run.messages[0]).toMatchObject({ planning: { mode: 'tasks', listId: 'release', location: list } });
  expect([existsSync(join(list, '1.json')), existsSync(join(list, '2.json'))]).toEqual([true, true]);
  where.remove();
});

test('B28 without a list id the session has a list of its own; with one, two sessions share it', async () => {
  const where = place();
  const create = answer({ toolUses: [{ name: 'TaskCreate', input: { subject: 's', description: 'd' } }] });
  const start = (options: Options) =>
    runQuery({ where, options: { planning: 'tasks', ...options }, steps: [create, end] });
  const own = [await start({}), await start({})];
  expect(own.map((run) => firstText(run).slice(0, 7))).toEqual(['Task #1', 'Task #1']);
  const shared = [await start({ tasks: { listId: 'x' } }), await start({ tasks: { listId: 'x' } })];
  expect(shared.map((run) => firstText(run).slice(0, 7))).toEqual(['Task #1', 'Task #2']);
  where.remove();
});

describe('reminders', () => {
  test('B44 only after three rounds without a write, three rounds apart, at most three in a row, and never right after a write', async () => {
    const run = await runQuery({
      options: base,
      steps: [todos(['A', 'pending']), ...rounds(14), todos(['A', 'in_progress']), ...rounds(4), end],
    });
    // Request n follows n rounds; the write is round 1.
    expect(reminded(run)).toEqual([4, 7, 10, 19]);
  });

  test('B44 reminders: false turns them off', async () => {
    const run = await runQuery({
      options: { ...base, reminders: false },
      steps: [todos(['A', 'pending']), ...rounds(8), end],
    });
    expect(reminded(run)).toEqual([]);
  });

  test('other numbers and another text can be set', async () => {
    const run = await runQuery({
      options: {
        ...base,
        reminders: {
          afterRounds: 1,
          gapRounds: 2,
          maxFires: 2,
          render: ({ openCount }) => `open: ${openCount}`,
        },
      },
      steps: [todos(['A', 'pending']), ...rounds(6), end],
    });
    expect(reminded(run)).toEqual([2, 4]);
    expect(lastMessage(run, 2)).toContain('open: 1');
  });

  test('a render that throws costs the reminder and is told, and the run goes on', async () => {
    const run = await runQuery({
      options: {
        ...base,
        reminders: {
          render: () => {
            throw new Error('no template');
          },
        },
      },
      steps: [todos(['A', 'pending']), ...rounds(3), end],
    });
    expect(run.result?.subtype).toBe('success');
    expect(run.warnings).toEqual([expect.stringContaining('no template')]);
  });

  test('B46 a reminder stands in the request only, never in what a host is shown', async () => {
    const run = await runQuery({
      options: base,
      steps: [todos(['Secret step', 'pending']), ...rounds(4), end],
    });
    expect(reminded(run)).toEqual([4]);
    expect(JSON.stringify(run.messages)).not.toContain('system-reminder');
  });

  test('B48 without a plan: nothing in a short job, one gentle hint in a long one, without a list', async () => {
    const short = await runQuery({ options: base, steps: [...rounds(3), end] });
    expect(reminded(short)).toEqual([]);
    const long = await runQuery({ options: base, steps: [...rounds(30), end] });
    expect(reminded(long)).toEqual([10]);
    expect(lastMessage(long, 10)).not.toMatch(/\[\]|update your|open:/i);
  });

  test('V2 shows the tasks with their numbers, and reading them is no write', async () => {
    const list = answer({ toolUses: [{ name: 'TaskList', input: {} }] });
    const run = await runQuery({
      options: { ...base, planning: 'tasks' },
      steps: [
        answer({ toolUses: [{ name: 'TaskCreate', input: { subject: 'Ship it', description: 'd' } }] }),
        list,
        list,
        list,
        end,
      ],
    });
    expect(reminded(run)).toEqual([4]);
    expect(lastMessage(run, 4)).toContain('#1 [pending] Ship it');
  });

  test('there are none where the planning tools are not offered', async () => {
    const run = await runQuery({ options: { ...base, tools: [] }, steps: [...rounds(12), end] });
    expect(reminded(run)).toEqual([]);
    expect(JSON.stringify(run.server.requests[0]?.body.system)).not.toContain('TodoWrite');
  });
});

describe('the verification nudge', () => {
  const three = (status: string) => todos(['A', status], ['B', status], ['C', status]);

  test('comes when a list of three is closed without a check, and can be turned off', async () => {
    const on = await runQuery({ steps: [three('pending'), three('completed'), end] });
    expect(toolResults(on)[1]?.content).toMatch(/none of them verified/);
    const off = await runQuery({
      options: { verificationNudge: false },
      steps: [three('pending'), three('completed'), end],
    });
    expect(toolResults(off)[1]?.content).not.toMatch(/verif/);
  });
});

describe('B58 hooks see the planning tools as any other', () => {
  function audit() {
    const seen: string[] = [];
    const inputs: HookInput[] = [];
    const note = (input: HookInput) => {
      seen.push('tool_name' in input ? `${input.hook_event_name} ${input.tool_name}` : input.hook_event_name);
      inputs.push(input);
    };
    const events = [
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'TaskCreated',
      'TaskCompleted',
    ] as const;
    const hooks: HookMatchers = Object.fromEntries(events.map((event) => [event, [{ hooks: [note] }]]));
    return { seen, inputs, hooks };
  }

  test('V2: two lines a call, and TaskCreated and TaskCompleted once each, in between', async () => {
    const { seen, inputs, hooks } = audit();
    const where = place();
    await runQuery({
      where,
      options: { planning: 'tasks', hooks, tasks: { listId: 'l' }, agentName: 'ada', team: 't' },
      steps: [
        answer({ toolUses: [{ name: 'TaskCreate', input: { subject: 's', description: 'd' } }] }),
        answer({ toolUses: [{ name: 'TaskGet', input: { taskId: '1' } }] }),
        answer({ toolUses: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] }),
        answer({ toolUses: [{ name: 'TaskList', input: {} }] }),
        answer({ toolUses: [{ name: 'TaskStop', input: { task_id: 'b1' } }] }),
        end,
      ],
    });
    expect(seen).toEqual([
      'PreToolUse TaskCreate',
      'TaskCreated',
      'PostToolUse TaskCreate',
      'PreToolUse TaskGet',
      'PostToolUse TaskGet',
      'PreToolUse TaskUpdate',
      'TaskCompleted',
      'PostToolUse TaskUpdate',
      'PreToolUse TaskList',
      'PostToolUse TaskList',
      'PreToolUse TaskStop',
      'PostToolUseFailure TaskStop',
    ]);
    expect(inputs.find((input) => input.hook_event_name === 'TaskCompleted')).toMatchObject({
      task_id: '1',
      task_subject: 's',
      list_id: 'l',
      old_status: 'pending',
      new_status: 'completed',
      teammate_name: 'ada',
      team_name: 't',
    });
    where.remove();
  });

  test('V1: the parsed list, whatever form the model sent', async () => {
    const { seen, inputs, hooks } = audit();
    await runQuery({
      options: { hooks },
      steps: [
        answer({
          toolUses: [{ name: 'TodoWrite', input: { todos: '[{"content":"A","status":"pending"}]' } }],
        }),
        end,
      ],
    });
    expect(seen).toEqual(['PreToolUse TodoWrite', 'PostToolUse TodoWrite']);
    expect(inputs[0]).toMatchObject({
      tool_input: { todos: [{ content: 'A', status: 'pending', activeForm: 'A' }] },
    });
  });

  test('a TaskCreated hook that blocks takes the task away, and the model reads why', async () => {
    const where = place();
    const hooks: HookMatchers = {
      TaskCreated: [{ hooks: [() => ({ decision: 'block', reason: 'too vague' })] }],
    };
    const run = await runQuery({
      where,
      options: { planning: 'tasks', hooks, tasks: { listId: 'l' } },
      steps: [answer({ toolUses: [{ name: 'TaskCreate', input: { subject: 's', description: 'd' } }] }), end],
    });
    expect(toolResults(run)).toMatchObject([
      { is_error: true, content: expect.stringContaining('TaskCreated hook feedback:\ntoo vague') },
    ]);
    expect(existsSync(join(where.env.CLAUDE_CONFIG_DIR ?? '', 'tasks', 'l', '1.json'))).toBe(false);
    where.remove();
  });
});

/** A Stop hook that never lets the run end, and what it was told. */
function alwaysBlocks(): { active: boolean[]; hooks: HookMatchers } {
  const active: boolean[] = [];
  const block: HookCallback = (input) => {
    if (input.hook_event_name === 'Stop') active.push(input.stop_hook_active);
    return { decision: 'block', reason: 'tests are red' };
  };
  return { active, hooks: { Stop: [{ hooks: [block] }] } };
}

describe('hooks on the run', () => {
  test('UserPromptSubmit sees the prompt, adds to it, and can keep it from the model', async () => {
    const add: HookMatchers = {
      UserPromptSubmit: [{ hooks: [() => ({ hookSpecificOutput: { additionalContext: 'It is Monday.' } })] }],
    };
    const added = await runQuery({ options: { hooks: add }, steps: [end] });
    expect(lastMessage(added, 0)).toMatch(/Do the job\..*It is Monday\./);
    const block: HookMatchers = {
      UserPromptSubmit: [{ hooks: [() => ({ decision: 'block', reason: 'secret inside' })] }],
    };
    const blocked = await runQuery({ options: { hooks: block }, steps: [] });
    expect(blocked.result).toMatchObject({
      is_error: true,
      terminal_reason: 'hook_stopped',
      errors: [expect.stringContaining('secret inside')],
    });
    expect(blocked.server.requests).toHaveLength(0);
  });

  test('a Stop hook makes the model go on, told that it goes on already, at most 8 times in a row', async () => {
    const { active, hooks } = alwaysBlocks();
    const run = await runQuery({ options: { hooks }, steps: Array.from({ length: 9 }, () => end) });
    expect(active).toEqual([false, ...Array.from({ length: 7 }, () => true)]);
    expect(run.result).toMatchObject({ subtype: 'success', num_turns: 9 });
    expect(run.warnings).toEqual([expect.stringContaining('8 times in a row')]);
    expect(lastMessage(run)).toContain('Stop hook feedback:\\ntests are red');
    run.server.assertDone();
  });

  test('work in between does not start the count anew: a hook that always blocks comes to an end', async () => {
    const { active, hooks } = alwaysBlocks();
    const run = await runQuery({
      options: { ...base, hooks, maxTurns: 40 },
      steps: Array.from({ length: 18 }, (_, index) => (index % 2 === 0 ? round : end)),
    });
    expect(active).toEqual([false, ...Array.from({ length: 7 }, () => true)]);
    expect(run.result).toMatchObject({ subtype: 'success', num_turns: 18 });
  });

  test('a Stop hook that says nothing lets the run end, without a message', async () => {
    const run = await runQuery({
      options: { hooks: { Stop: [{ hooks: [() => undefined] }] } },
      steps: [end],
    });
    expect(run.messages.map((message) => message.type)).toEqual(['system', 'assistant', 'result']);
  });

  test('a hook that fails is told in the messages and on stderr, once', async () => {
    const fails = () => {
      throw new Error('no disk');
    };
    const run = await runQuery({
      options: { ...base, hooks: { PreToolUse: [{ hooks: [fails] }] } },
      steps: [round, round, end],
    });
    expect(run.warnings).toEqual(['Hook PreToolUse fails threw: no disk']);
    expect(
      run.messages.filter((message) => message.type === 'system' && message.subtype === 'informational'),
    ).toHaveLength(1);
    expect(run.result?.subtype).toBe('success');
  });

  test('continue: false after a call ends the run with its reason', async () => {
    const hooks: HookMatchers = {
      PostToolUse: [{ hooks: [() => ({ continue: false, stopReason: 'enough' })] }],
    };
    const run = await runQuery({ options: { ...base, hooks }, steps: [round] });
    expect(run.result).toMatchObject({ is_error: true, terminal_reason: 'hook_stopped', errors: ['enough'] });
    expect(toolResults(run)).toMatchObject([{ content: 'worked' }]);
  });
});

function firstText(run: Parameters<typeof toolResults>[0]): string {
  const content = toolResults(run)[0]?.content;
  return typeof content === 'string' ? content : '';
}
