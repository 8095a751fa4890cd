#!/usr/bin/env node
// Runs every example in a process of its own, with an empty home and no key, and fails when one fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../examples/', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'waymark-examples-'));
let failed = 0;
try {
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.mjs')) continue;
    const { status, stderr } = spawnSync(process.execPath, [join(folder, name)], {
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
      timeout: 60_000,
    });
    process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}\n`);
    if (status !== 0) {
      failed += 1;
      process.stdout.write(stderr);
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
