import type { Environment } from '../environment.js';
import type { Options } from '../protocol/options.js';

export interface DemoOptions {
  /** One planning mode, or both one after the other. */
  planning: 'todo' | 'tasks' | 'both';
  /** The real model in the place of the simulated one. Default false. */
  live?: boolean;
  /** One JSON object in the place of the lines. Default false. */
  json?: boolean;
  /** Gets each line, without its newline. */
  write: (line: string) => void;
  /** The environment; what the run itself gets is a few variables of it and a home of its own. */
  env: Environment;
  /** Ends the demo: its run, its processes and its server. */
  signal?: AbortSignal;
  /** The reminders' settings, to see what becomes of the job without them. Default: on. */
  reminders?: Options['reminders'];
}
