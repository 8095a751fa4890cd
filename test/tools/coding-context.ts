import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyTool } from '../../src/tool.js';
import { dispatcher } from '../support/dispatch.js';

export interface Bench {
  /** The working folder, links resolved. */
  root: string;
  write(name: string, content: string | Buffer, mode?: number): string;
  read(name: string): string;
  /** One call through dispatch, with everything allowed. */
  call(
    tool: AnyTool,
    input: unknown,
  ): Promise<{ ok: boolean; text: string; data: unknown; content: unknown }>;
  /** What an interrupt of the run does. */
  abort(): void;
  jobs: ReturnType<typeof dispatcher>['context']['jobs'];
  close(): Promise<void>;
}

/** A working folder of its own and the tools on it, as a session has them. */
export function bench(tools: readonly AnyTool[], env: Record<string, string> = {}): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-tools-')));
  const parts = dispatcher({
    tools,
    graceMs: 5000,
    context: { cwd: root, env: { PATH: process.env.PATH ?? '', HOME: root, ...env } },
  });
  return {
    root,
    write(name, content, mode) {
      const path = join(root, name);
      writeFileSync(path, content, mode === undefined ? {} : { mode });
      return path;
    },
    read: (name) => readFileSync(join(root, name), 'utf8'),
    async call(tool, input) {
      const [result] = await parts.run([tool.name, input]);
      if (!result) throw new Error('a call has a result');
      const { content } = result.result;
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      return { ok: result.ok, text, data: result.data, content };
    },
    abort: () => parts.abort.abort(),
    jobs: parts.context.jobs,
    async close() {
      await parts.context.jobs.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
