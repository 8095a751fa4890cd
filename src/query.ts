import { WaymarkError } from './errors.js';
import { sdkServerTools } from './mcp/sdk-server.js';
import type { SDKMessage, SDKSystemMessage, SDKUserMessage } from './protocol/messages.js';
import type { Options } from './protocol/options.js';
import type { Query } from './protocol/query.js';
import { promptsOf } from './query/prompts.js';
import { resultError } from './query/run-result.js';
import { Session } from './query/session.js';
import { chooseTools } from './registry.js';
import { readOptions, type Settings } from './settings/read-options.js';
import type { AnyTool } from './tool.js';

/**
 * Runs an agent. Nothing starts before the first message is asked for; leaving the loop ends everything it started.
 *
 * @param prompt a text, or messages as they come (each gets its own `result`, and errors are not thrown).
 * @returns the messages of the run: `system/init` first; for a text exactly one `result`, last.
 * @throws WaymarkError `invalid_options`, `invalid_input` (a blank prompt) at once; while running `no_credentials`, and
 *   after an error result `aborted`, `api_error` or `run_failed`.
 */
export function query({
  prompt,
  options,
}: {
  prompt: string | AsyncIterable<SDKUserMessage>;
  options?: Options;
}): Query {
  if (typeof prompt === 'string' && prompt.trim() === '') {
    throw new WaymarkError('invalid_input', 'The prompt is empty.');
  }
  const settings = readOptions(options);
  const switches = new Switches(settings.options.abortController?.signal);
  return new RunningQuery(run(prompt, settings, switches), switches);
}

async function* run(
  prompt: string | AsyncIterable<SDKUserMessage>,
  settings: Settings,
  switches: Switches,
): AsyncGenerator<SDKMessage, void> {
  const { options, env } = settings;
  const warn = once(options.stderr ?? ((line) => process.stderr.write(`waymark: ${line}\n`)));

  // Gate and registry: which planning mode, which tools.
  const servers = connect(options.mcpServers ?? {}, warn);
  const toolSet = chooseTools({ ...options, env, extra: servers.tools });
  for (const warning of [...settings.warnings, ...toolSet.warnings]) warn(warning);

  const session = new Session({ settings, toolSet, mcpServers: servers.status, warn });
  switches.listen();
  try {
    yield session.init();
    for await (const content of promptsOf(prompt, switches.session)) {
      // The loop: one run for each prompt.
      const result = yield* session.run(content, switches.startRun());
      if (typeof prompt === 'string' && result.is_error && !switches.interrupted) throw resultError(result);
    }
  } finally {
    switches.close();
    await session.close();
  }
}

/** The tools of in-process servers; a server of another kind is named as unsupported. */
function connect(
  servers: NonNullable<Options['mcpServers']>,
  warn: (line: string) => void,
): { tools: AnyTool[]; status: SDKSystemMessage['mcp_servers'] } {
  const tools: AnyTool[] = [];
  const status = Object.entries(servers).map(([name, server]) => {
    if (server.type === 'sdk' && Array.isArray(server.instance?.tools)) {
      tools.push(...sdkServerTools(name, server));
      return { name, status: 'connected' };
    }
    warn(
      `options.mcpServers.${name} is not supported in this version: only servers made by createSdkMcpServer() are.`,
    );
    return { name, status: 'failed' };
  });
  return { tools, status };
}

/** Each line once. */
function once(write: (line: string) => void): (line: string) => void {
  const written = new Set<string>();
  return (line) => {
    if (written.has(line)) return;
    written.add(line);
    write(line);
  };
}

/** What ends a run: the host's signal and `close()` end the session, `interrupt()` the run that is on. */
class Switches {
  readonly #session = new AbortController();
  readonly #host: AbortSignal | undefined;
  readonly #onHostAbort = () => this.stop(this.#host?.reason);
  #run = new AbortController();
  /** Whether the host asked for the end of the newest run by `interrupt()` or `close()`: then it is no failure. */
  interrupted = false;

  constructor(host: AbortSignal | undefined) {
    this.#host = host;
  }

  /** From here until `close` the host's signal counts. */
  listen(): void {
    if (this.#host?.aborted) this.#onHostAbort();
    else this.#host?.addEventListener('abort', this.#onHostAbort, { once: true });
  }

  get session(): AbortSignal {
    return this.#session.signal;
  }

  startRun(): AbortSignal {
    this.#run = new AbortController();
    this.interrupted = false;
    if (this.#session.signal.aborted) this.#run.abort(this.#session.signal.reason);
    return this.#run.signal;
  }

  interrupt(): void {
    this.interrupted = true;
    this.#run.abort();
  }

  stop(reason?: unknown): void {
    this.#session.abort(reason);
    this.#run.abort(reason);
  }

  close(): void {
    this.#host?.removeEventListener('abort', this.#onHostAbort);
  }
}

class RunningQuery implements Query {
  readonly #messages: AsyncGenerator<SDKMessage, void>;
  readonly #switches: Switches;

  constructor(messages: AsyncGenerator<SDKMessage, void>, switches: Switches) {
    this.#messages = messages;
    this.#switches = switches;
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#messages.next();
  }

  return(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#messages.return();
  }

  throw(error: unknown): Promise<IteratorResult<SDKMessage, void>> {
    return this.#messages.throw(error);
  }

  async interrupt(): Promise<void> {
    this.#switches.interrupt();
  }

  async close(): Promise<void> {
    this.#switches.interrupted = true;
    this.#switches.stop();
    await this.#messages.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
