import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WaymarkError } from '../errors.js';
import { apiKeySource } from '../model/anthropic.js';
import type { DemoOptions } from './demo-options.js';
import type { DemoReport, DemoRun } from './demo-report.js';
import { DemoSession } from './demo-session.js';
import { SIMULATED_MODEL } from './simulated-model.js';

export type { DemoOptions } from './demo-options.js';
export type { DemoReport, DemoRun } from './demo-report.js';

/**
 * The whole engine on a small source tree in a temporary folder: a rename in ten steps with real edits and real tests,
 * of which two fail on the way. Only the model is simulated, unless `live` is set. Everything is kept in the folder
 * that the report names. Throws `no_credentials` for `live` without a key, `aborted` on the signal.
 */
export async function runDemo(options: DemoOptions): Promise<DemoReport> {
  const { live = false, json = false, env } = options;
  if (live && apiKeySource(env) === 'none') {
    throw new WaymarkError(
      'no_credentials',
      'waymark demo --live needs ANTHROPIC_API_KEY in the environment.',
    );
  }
  const tell = json ? () => {} : options.write;
  tell(
    live
      ? 'This demo runs on the real model: it needs the network and costs money.'
      : 'The model of this demo is simulated: a script of answers behind the real wire format. No key, no network. Loop, tools, files, locks, shell and processes are real.',
  );
  const folder = await realpath(await mkdtemp(join(env.TMPDIR?.trim() || tmpdir(), 'waymark-demo-')));
  const runs: DemoRun[] = [];
  let model = SIMULATED_MODEL;
  for (const planning of options.planning === 'both' ? (['todo', 'tasks'] as const) : [options.planning]) {
    const run = await new DemoSession(options, planning, join(folder, planning), tell).run();
    runs.push(run.report);
    model = run.model ?? model;
  }
  const costs = runs.map((run) => run.total_cost_usd);
  const report: DemoReport = {
    simulated_model: !live,
    model,
    total_cost_usd: costs.some((cost) => cost === null)
      ? null
      : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0),
    ok: runs.every((run) => run.ok),
    folder,
    runs,
  };
  if (json) options.write(JSON.stringify(report, null, 2));
  tell(
    live
      ? `The model of this demo was real: ${model}, ${report.total_cost_usd === null ? 'cost unknown' : `${report.total_cost_usd.toFixed(4)} USD`}.`
      : 'The model of this demo was simulated; it cost nothing. The same job on a real model: waymark demo --live',
  );
  return report;
}
