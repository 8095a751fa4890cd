#!/usr/bin/env node
import { packageVersion } from '../package-files.js';

// Asked for by installers and scripts all the time: answered without loading anything else.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-v')) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  const [{ runCommand }, { processTerminal }, { signalCode }] = await Promise.all([
    import('./run.js'),
    import('./terminal.js'),
    import('./exit-code.js'),
  ]);
  // Whoever asks twice does not want to wait for the run to end itself.
  const terminal = processTerminal((signal) => process.exit(signalCode(signal)));
  const code = await runCommand(words, terminal);
  // Every write has been waited for. What may still be open (a kept-alive connection) must not hold the process.
  process.exit(code);
}
