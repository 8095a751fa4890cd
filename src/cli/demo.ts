import { runDemo } from '../demo/run-demo.js';
import type { DemoCommand } from './arguments.js';
import { EXIT, signalCode } from './exit-code.js';
import type { Terminal } from './terminal.js';

/** `waymark demo`: the whole engine on a small job. Gives the exit code: 0 only when the job was done as it should. */
export async function runDemoCommand(command: DemoCommand, terminal: Terminal): Promise<number> {
  const { planning, json, live } = command;
  const { interrupted, stdout, env } = terminal;
  let written = Promise.resolve();
  try {
    const report = await runDemo({
      planning,
      json,
      live,
      env,
      signal: AbortSignal.any([interrupted, stdout.closed]),
      write: (line) => {
        written = stdout.write(`${line}\n`);
      },
    });
    // Writes keep their order, so the last one done means all of them.
    await written;
    return report.ok ? EXIT.done : EXIT.failed;
  } catch (thrown) {
    if (interrupted.aborted) return signalCode(String(interrupted.reason));
    if (stdout.closed.aborted) return EXIT.failed;
    throw thrown;
  }
}
