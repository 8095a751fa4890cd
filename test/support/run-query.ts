import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolResultBlockParam } from '../../src/protocol/api.js';
import type { SDKMessage, SDKResultMessage } from '../../src/protocol/messages.js';
import type { Options } from '../../src/protocol/options.js';
import { query } from '../../src/query.js';
import { type MessagesServer, type ScriptSteps, startMessagesServer } from '../../src/testing/index.js';

export interface Place {
  /** An empty working folder. */
  cwd: string;
  /** A home and a configuration of its own, and nothing of this machine's. */
  env: Record<string, string>;
  remove(): void;
}

export function place(): Place {
  const root = mkdtempSync(join(tmpdir(), 'waymark-query-'));
  const cwd = mkdtempSync(join(root, 'work-'));
  const home = mkdtempSync(join(root, 'home-'));
  return {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_API_KEY: 'k',
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface QueryRun {
  messages: SDKMessage[];
  result: SDKResultMessage | undefined;
  /** What the query threw, if it did. */
  thrown: unknown;
  server: MessagesServer;
  /** Lines written to `options.stderr`. */
  warnings: string[];
}

export interface QuerySetup {
  steps: ScriptSteps;
  options?: Options;
  prompt?: Parameters<typeof query>[0]['prompt'];
  where?: Place;
  /** Called with each message and the running query. */
  onMessage?: (message: SDKMessage, running: ReturnType<typeof query>) => unknown;
}

/** Runs a whole query against a local server and gathers everything that came of it. The server is closed at the end. */
export async function runQuery(setup: QuerySetup): Promise<QueryRun> {
  const own = setup.where ? undefined : place();
  const { cwd, env } = setup.where ?? own ?? place();
  const server = await startMessagesServer({ steps: setup.steps });
  const warnings: string[] = [];
  const run: QueryRun = { messages: [], result: undefined, thrown: undefined, server, warnings };
  try {
    const running = query({
      prompt: setup.prompt ?? 'Do the job.',
      options: {
        cwd,
        env: { ...env, ANTHROPIC_BASE_URL: server.url },
        stderr: (line) => warnings.push(line),
        ...setup.options,
      },
    });
    for await (const message of running) {
      run.messages.push(message);
      if (message.type === 'result') run.result = message;
      await setup.onMessage?.(message, running);
    }
  } catch (error) {
    run.thrown = error;
  } finally {
    await server.close();
    own?.remove();
  }
  return run;
}

/** The tool results of a run, in the order in which the host saw them. */
export function toolResults(run: QueryRun): ToolResultBlockParam[] {
  return run.messages.flatMap((message) =>
    message.type === 'user' && Array.isArray(message.message.content)
      ? message.message.content.flatMap((block) => (block.type === 'tool_result' ? [block] : []))
      : [],
  );
}

/** The last message of a request, as text. */
export function lastMessage(run: QueryRun, index = -1): string {
  return JSON.stringify(run.server.requests.at(index)?.body.messages.at(-1));
}
