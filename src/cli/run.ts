import { errorText } from '../errors.js';
import { packageVersion } from '../package-files.js';
import { readArguments } from './arguments.js';
import { EXIT, exitCodeOfError } from './exit-code.js';
import type { PrintParts } from './print.js';
import type { Terminal } from './terminal.js';

/** The command from its words to its exit code. Parts are loaded when a command needs them. Never throws. */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  parts: PrintParts = {},
): Promise<number> {
  try {
    const command = readArguments(argv);
    switch (command.kind) {
      case 'help':
        await terminal.stdout.write(command.text);
        return EXIT.done;
      case 'version':
        await terminal.stdout.write(`${packageVersion()}\n`);
        return EXIT.done;
      case 'usage':
        await terminal.stderr.write(`waymark: ${command.message} (waymark --help)\n`);
        return EXIT.usage;
      case 'print':
        return await (await import('./print.js')).runPrint(command, terminal, parts);
      case 'demo':
        return await (await import('./demo.js')).runDemoCommand(command, terminal);
    }
  } catch (thrown) {
    await terminal.stderr.write(`waymark: ${errorText(thrown)}\n`);
    return exitCodeOfError(thrown);
  }
}
