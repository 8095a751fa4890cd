// What Waymark costs above a raw loop on the client: `npm run build && node bench/overhead.mjs [rounds] [turns]`.
// Runs are interleaved on one local server; the numbers to look at are the ratios of one run of this file.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBenchServer } from './server.mjs';

const rounds = Number(process.argv[2] ?? 9);
const turns = Number(process.argv[3] ?? 200);
const home = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const server = await startBenchServer(turns);
const contestants = {
  raw: { file: 'raw-loop.mjs' },
  waymark: { file: 'waymark-loop.mjs' },
  'waymark, all tools': { file: 'waymark-loop.mjs', env: { BENCH_TOOLS: 'all' } },
};
const samples = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));

for (let round = 0; round <= rounds; round++) {
  for (const name of Object.keys(contestants)) {
    const sample = await measure(name, round);
    // The first round warms the file cache.
    if (round > 0) samples[name].push(sample);
  }
}
await server.close();
rmSync(home, { recursive: true, force: true });

const rows = Object.entries(samples).map(([name, list]) => ({ name, ...medians(list) }));
const floor = rows[0];
const lines = [`${rounds} rounds of ${turns} tool turns, Node ${process.version}; medians, × the raw loop`];
for (const { name, ...row } of rows) {
  const cells = Object.entries(row).map(
    ([key, value]) => `${key} ${value.toFixed(2)} ×${(value / floor[key]).toFixed(2)}`,
  );
  lines.push(`${name}: ${cells.join(' · ')}`);
}
process.stdout.write(`${lines.join('\n')}\n`);

async function measure(name, round) {
  const { file, env } = contestants[name];
  const key = `${name} ${round}`;
  const path = fileURLToPath(new URL(file, import.meta.url));
  const began = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: server.url,
      ...env,
    },
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const arrivals = server.arrivals(key);
  if (code !== 0 || arrivals.length !== turns + 1) {
    throw new Error(`${name}: exit code ${code}, ${arrivals.length} requests instead of ${turns + 1}`);
  }
  const { startCpuMs, cpuMs, peakMB } = JSON.parse(out);
  const span = (from, to) => (arrivals[to] - arrivals[from]) / (to - from);
  const quarter = Math.floor(turns / 4);
  return {
    startMs: arrivals[0] - began,
    startCpuMs,
    turnMs: span(1, turns),
    cpuMsPerTurn: cpuMs / turns,
    firstQuarterMs: span(2, quarter),
    lastQuarterMs: span(turns - quarter, turns),
    peakMB,
  };
}

function medians(list) {
  const keys = Object.keys(list[0]);
  return Object.fromEntries(
    keys.map((key) => {
      const sorted = list.map((sample) => sample[key]).sort((a, b) => a - b);
      return [key, sorted[Math.floor(sorted.length / 2)]];
    }),
  );
}
