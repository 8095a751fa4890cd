import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { PrintCommand } from '../../src/cli/arguments.js';
import { openOutput } from '../../src/cli/output.js';
import { type PrintParts, runPrint } from '../../src/cli/print.js';
import { WaymarkError } from '../../src/errors.js';
import type { SDKMessage } from '../../src/protocol/messages.js';
import { fakeTerminal, stubQuery } from './fake-terminal.js';
import { denial, errorResult, successResult } from './results.js';

const NEVER = new Promise<void>(() => {});

function command(fields: Partial<PrintCommand> = {}): PrintCommand {
  return {
    kind: 'print',
    print: true,
    prompt: 'do it',
    outputFormat: 'text',
    verbose: false,
    allowDenials: false,
    options: {},
    ...fields,
  };
}

function parts(stub: ReturnType<typeof stubQuery>, graceMs = 200): PrintParts {
  return { loadQuery: async () => stub.query, clock: () => 1_000, graceMs };
}

async function* yields(...messages: SDKMessage[]): AsyncGenerator<SDKMessage, void> {
  yield* messages;
}

const retry: SDKMessage = {
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 4,
  retry_delay_ms: 500,
  error_status: 529,
  error: 'overloaded',
  uuid: 'u',
  session_id: 's1',
};

describe('stdout carries the payload only', () => {
  test('text: the answer and one final newline', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(() => yields(retry, successResult('fine')));
    expect(await runPrint(command(), world.terminal, parts(stub))).toBe(0);
    expect([world.out(), world.err()]).toEqual(['fine\n', '']);
    expect(stub.asked[0]?.prompt).toBe('do it');
    expect(stub.closes()).toBe(1);
  });

  test('json: one object on one line', async () => {
    const world = fakeTerminal();
    const result = successResult('fi\nne');
    const stub = stubQuery(() => yields(retry, result));
    await runPrint(command({ outputFormat: 'json' }), world.terminal, parts(stub));
    expect(world.out().endsWith('}\n')).toBe(true);
    expect(JSON.parse(world.out())).toEqual(result);
  });

  test('stream-json: every message a line, the result last', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(() => yields(retry, successResult()));
    await runPrint(command({ outputFormat: 'stream-json' }), world.terminal, parts(stub));
    const types = world
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['system', 'result']);
  });

  test('B94 a failure prints nothing on stdout in text form, its words on stderr, and is no success', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(() =>
      yields(errorResult({ errors: ['model overloaded'], api_error_status: 529 })),
    );
    expect(await runPrint(command(), world.terminal, parts(stub))).toBe(1);
    expect([world.out(), world.err()]).toEqual(['', 'waymark: model overloaded (HTTP 529)\n']);
  });
});

describe('progress is for people', () => {
  test('it is shown when stderr is a terminal, or when asked for', async () => {
    for (const fields of [{ errIsTerminal: true }, {}]) {
      const world = fakeTerminal({ ...fields, env: { ANTHROPIC_API_KEY: 'k', NO_COLOR: '1' } });
      const stub = stubQuery(() => yields(retry, successResult()));
      await runPrint(command({ verbose: !fields.errIsTerminal }), world.terminal, parts(stub));
      expect(world.err()).toBe('model call failed (529): try 2 of 5 in 0.5 s\n');
      expect(world.out()).toBe('the answer\n');
    }
  });
});

describe('a call that needs a person is denied, and the exit code says so', () => {
  const denied = { ...successResult(), permission_denials: [denial('nobody')] };

  test('exit 3, the answer on stdout, the tool named on stderr', async () => {
    const world = fakeTerminal();
    expect(await runPrint(command(), world.terminal, parts(stubQuery(() => yields(denied))))).toBe(3);
    expect(world.out()).toBe('the answer\n');
    expect(world.err()).toMatch(/^waymark: 1 call was denied because nobody could be asked: Bash; allow/);
  });

  test('--allow-denials makes it 0, and still names it', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(() => yields(denied));
    expect(await runPrint(command({ allowDenials: true }), world.terminal, parts(stub))).toBe(0);
    expect(world.err()).toMatch(/: Bash\n$/);
    expect(stub.asked[0]?.options.canUseTool).toBeUndefined();
  });
});

describe('B95 exactly one result, then the end', () => {
  test('a query that throws before its result still gives a reader of JSON one', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(async function* () {
      yield retry;
      throw new WaymarkError('storage_failed', 'the list cannot be read');
    });
    expect(await runPrint(command({ outputFormat: 'stream-json' }), world.terminal, parts(stub))).toBe(1);
    const lines = world
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.type)).toEqual(['system', 'result']);
    expect(lines[1]).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['the list cannot be read'],
      session_id: 's1',
      permission_denials: [],
    });
    expect(world.err()).toBe('waymark: the list cannot be read\n');
  });

  test('a query that ends without a result is a failure', async () => {
    const world = fakeTerminal();
    expect(
      await runPrint(command({ outputFormat: 'json' }), world.terminal, parts(stubQuery(() => yields()))),
    ).toBe(1);
    expect(JSON.parse(world.out())).toMatchObject({ type: 'result', is_error: true });
  });

  test('what hangs after the result does not hold the exit', async () => {
    const world = fakeTerminal();
    const stub = stubQuery(
      () => yields(successResult()),
      () => NEVER,
    );
    expect(await runPrint(command(), world.terminal, parts(stub, 30))).toBe(0);
    expect(world.err()).toContain('did not end within');
  });

  test('a signal ends the run and gives one result, even when the run does not end itself', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const world = fakeTerminal();
      let aborted = false;
      const stub = stubQuery(async function* (options) {
        yield retry;
        options.abortController?.signal.addEventListener('abort', () => {
          aborted = true;
        });
        world.interrupt(signal);
        await NEVER;
      });
      expect(await runPrint(command({ outputFormat: 'json' }), world.terminal, parts(stub, 30))).toBe(code);
      expect(aborted).toBe(true);
      expect(stub.closes()).toBe(1);
      expect(JSON.parse(world.out())).toMatchObject({
        type: 'result',
        terminal_reason: 'aborted_streaming',
        errors: [`interrupted by ${signal}`],
      });
    }
  });

  test("a run that ends itself at a signal gives its own result, and the signal's code", async () => {
    const world = fakeTerminal();
    const own = errorResult({ terminal_reason: 'aborted_tools', errors: ['aborted'] });
    const stub = stubQuery(async function* () {
      world.interrupt('SIGTERM');
      yield own;
    });
    expect(await runPrint(command({ outputFormat: 'json' }), world.terminal, parts(stub))).toBe(143);
    expect(JSON.parse(world.out())).toEqual(own);
  });

  test('a signal while stdin is read ends at once', async () => {
    const world = fakeTerminal({ stdin: '' });
    const terminal = { ...world.terminal, stdin: { ...world.terminal.stdin, stream: new PassThrough() } };
    const stub = stubQuery(() => yields());
    const code = runPrint(command({ outputFormat: 'json' }), terminal, parts(stub));
    world.interrupt('SIGINT');
    expect(await code).toBe(130);
    expect(JSON.parse(world.out())).toMatchObject({ type: 'result', is_error: true });
    expect(stub.asked).toEqual([]);
  });
});

describe('B97 without a terminal it prints or says what is missing, in one line', () => {
  test.each<[string, Partial<PrintCommand>, Parameters<typeof fakeTerminal>[0], RegExp]>([
    ['no prompt, empty stdin', { print: false, prompt: undefined }, { stdin: '' }, /no prompt/],
    ['-p without a prompt at a terminal', { prompt: undefined }, { outIsTerminal: true }, /no prompt/],
    ['only stdin is a terminal', { print: false, prompt: undefined }, {}, /no prompt/],
    ['a prompt of spaces', { prompt: ' \n' }, {}, /the prompt is empty/],
    [
      'a person at a terminal',
      { print: false, prompt: undefined },
      { outIsTerminal: true },
      /no interactive session.*-p/,
    ],
    [
      'a list swallowed the prompt',
      { prompt: undefined, options: { tools: ['Read'] } },
      {},
      /before flags that take a list/,
    ],
  ])('%s', async (_name, fields, given, message) => {
    const world = fakeTerminal(given);
    const stub = stubQuery(() => yields(successResult()));
    expect(await runPrint(command(fields), world.terminal, parts(stub))).toBe(2);
    expect(world.err()).toMatch(message);
    expect(world.err().trimEnd()).not.toContain('\n');
    expect([world.out(), stub.asked]).toEqual(['', []]);
  });

  test('piped text without -p is a prompt', async () => {
    const world = fakeTerminal({ stdin: 'explain this' });
    const stub = stubQuery(() => yields(successResult()));
    const { prompt: _none, ...bare } = command({ print: false });
    expect(await runPrint(bare, world.terminal, parts(stub))).toBe(0);
    expect(stub.asked[0]?.prompt).toBe('explain this');
  });

  test('a prompt and piped text are joined', async () => {
    const world = fakeTerminal({ stdin: 'log' });
    const stub = stubQuery(() => yields(successResult()));
    await runPrint(command({ prompt: 'explain' }), world.terminal, parts(stub));
    expect(stub.asked[0]?.prompt).toBe('explain\n\nlog');
  });
});

test('without a key: exit 5 and three lines that name the variable, the demo and the docs; nothing runs', async () => {
  const environments: Array<Record<string, string>> = [{}, { ANTHROPIC_API_KEY: ' ' }];
  for (const env of environments) {
    const world = fakeTerminal({ env });
    const stub = stubQuery(() => yields(successResult()));
    expect(await runPrint(command(), world.terminal, parts(stub))).toBe(5);
    const lines = world.err().trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('ANTHROPIC_API_KEY');
    expect(lines[1]).toContain('waymark demo');
    expect(lines[2]).toContain('docs');
    expect(stub.asked).toEqual([]);
  }
});

test('B93 a reader that goes away ends the run quietly and not as a success', async () => {
  const world = fakeTerminal();
  const pipe = new PassThrough();
  const stdout = openOutput(pipe);
  const stub = stubQuery(async function* (options) {
    yield retry;
    pipe.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => options.abortController?.signal.addEventListener('abort', resolve));
    yield errorResult({ terminal_reason: 'aborted_streaming' });
  });
  const terminal = { ...world.terminal, stdout };
  expect(await runPrint(command({ outputFormat: 'stream-json' }), terminal, parts(stub))).toBe(1);
  expect(world.err()).toBe('');
  expect(stub.closes()).toBe(1);
});

test('a disk that is full is no quiet end', async () => {
  const world = fakeTerminal();
  const pipe = new PassThrough();
  const stdout = openOutput(pipe);
  const stub = stubQuery(async function* () {
    pipe.destroy(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
    await new Promise((resolve) => setImmediate(resolve));
    yield successResult();
  });
  expect(await runPrint(command(), { ...world.terminal, stdout }, parts(stub))).toBe(1);
  expect(world.err()).toContain('stdout cannot be written: ENOSPC');
});
