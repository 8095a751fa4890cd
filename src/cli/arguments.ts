import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { PlanningOption } from '../gate.js';
import { splitRules } from '../permissions/rule-list.js';
import type { Options } from '../protocol/options.js';
import { PERMISSION_MODES, type PermissionMode } from '../protocol/permissions.js';
import { DEMO_HELP, PRINT_HELP } from './help.js';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** One run of the agent: `waymark -p`, or what falls back to it without a terminal. */
export interface PrintCommand {
  kind: 'print';
  /** Whether `-p` was given. Without it a person at a terminal would expect a session. */
  print: boolean;
  prompt?: string;
  outputFormat: OutputFormat;
  verbose: boolean;
  allowDenials: boolean;
  options: Options;
}

export interface DemoCommand {
  kind: 'demo';
  planning: 'todo' | 'tasks' | 'both';
  json: boolean;
  live: boolean;
}

export type CommandLine =
  | PrintCommand
  | DemoCommand
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  | { kind: 'usage'; message: string };

/** Flags of Claude Code's command that this version lacks: named as such, so that nobody takes them for typing errors. */
const UNSUPPORTED = new Set(
  (
    '--input-format --include-hook-events --replay-user-messages --forward-subagent-text --json-schema ' +
    '--max-budget-usd --no-session-persistence --permission-prompt-tool --fallback-model -c --continue ' +
    '-r --resume --fork-session --session-id -n --name --system-prompt-file --append-system-prompt-file ' +
    '--append-subagent-system-prompt --effort --agent --agents --mcp-config --strict-mcp-config --settings ' +
    '--setting-sources --plugin-dir --bare --safe-mode -d --debug --debug-file --teammate-mode --bg ' +
    '-w --worktree --init --init-only --maintenance --betas --ide --chrome'
  ).split(' '),
);

/** Reads the words after `waymark`. Pure: touches no stream, ends nothing; every mistake comes back as `usage`. */
export function readArguments(argv: readonly string[]): CommandLine {
  try {
    return argv[0] === 'demo' ? readDemo(argv.slice(1)) : readPrint(argv);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return { kind: 'usage', message: usageMessage(thrown) };
  }
}

function usageMessage(thrown: CommanderError): string {
  const flag = /^error: unknown option '([^'=]+)/.exec(thrown.message)?.[1];
  if (flag !== undefined && UNSUPPORTED.has(flag))
    return `${flag} is not supported by this version of waymark`;
  if (thrown.code === 'commander.excessArguments') {
    return 'too many words: put the prompt in quotes, or pipe it in';
  }
  return thrown.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/s, '. Did you mean $1?')
    .replace(/\s*\n\s*/g, ' ');
}

/** A command that neither writes nor exits: help text and errors are data here. */
function quiet(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption(false)
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
}

interface PrintFlags {
  print?: boolean;
  help?: boolean;
  version?: boolean;
  outputFormat: OutputFormat;
  includePartialMessages?: boolean;
  model?: string;
  maxTurns?: number;
  allowedTools?: string[];
  disallowedTools?: string[];
  tools?: string[];
  permissionMode?: PermissionMode | 'manual';
  dangerouslySkipPermissions?: boolean;
  allowDangerouslySkipPermissions?: boolean;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  addDir?: string[];
  planning?: PlanningOption;
  tasks?: string;
  verbose?: boolean;
  allowDenials?: boolean;
}

function printCommand(): Command {
  return quiet(new Command('waymark'))
    .argument('[prompt]')
    .option('-p, --print')
    .option('-h, --help')
    .option('-v, --version')
    .addOption(new Option('--output-format <format>').choices(OUTPUT_FORMATS).default('text'))
    .option('--include-partial-messages')
    .option('--model <model>', '', nonEmpty)
    .option('--max-turns <n>', '', wholeNumber)
    .option('--allowed-tools, --allowedTools <rules...>', '', collectRules)
    .option('--disallowed-tools, --disallowedTools <rules...>', '', collectRules)
    .option('--tools <names...>', '', collectRules)
    .addOption(new Option('--permission-mode <mode>').choices([...PERMISSION_MODES, 'manual']))
    .option('--dangerously-skip-permissions')
    .option('--allow-dangerously-skip-permissions')
    .option('--system-prompt <text>')
    .option('--append-system-prompt <text>')
    .option('--add-dir <folders...>')
    .addOption(new Option('--planning <mode>').choices(['auto', 'todo', 'tasks', 'off']))
    .option('--tasks <listId>', '', nonEmpty)
    .option('--verbose')
    .option('--allow-denials');
}

function readPrint(argv: readonly string[]): CommandLine {
  const command = printCommand().parse(argv, { from: 'user' });
  const flags = command.opts<PrintFlags>();
  if (flags.help) return { kind: 'help', text: PRINT_HELP };
  if (flags.version) return { kind: 'version' };
  const conflict = conflictOf(flags);
  if (conflict !== undefined) return { kind: 'usage', message: conflict };

  const prompt = command.args[0];
  return {
    kind: 'print',
    print: flags.print === true,
    ...(prompt !== undefined && { prompt }),
    outputFormat: flags.outputFormat,
    verbose: flags.verbose === true,
    allowDenials: flags.allowDenials === true,
    options: optionsOf(flags),
  };
}

function conflictOf(flags: PrintFlags): string | undefined {
  if (flags.tasks !== undefined && flags.planning !== undefined && flags.planning !== 'tasks') {
    return `--tasks ${flags.tasks} needs the task tools, and --planning ${flags.planning} does not offer them`;
  }
  if (flags.includePartialMessages && flags.outputFormat !== 'stream-json') {
    return '--include-partial-messages needs --output-format stream-json';
  }
  if (flags.dangerouslySkipPermissions && flags.permissionMode !== undefined) {
    if (flags.permissionMode !== 'bypassPermissions') {
      return `--dangerously-skip-permissions and --permission-mode ${flags.permissionMode} contradict each other`;
    }
  }
  return undefined;
}

function optionsOf(flags: PrintFlags): Options {
  const options: Options = {};
  if (flags.model !== undefined) options.model = flags.model;
  if (flags.maxTurns !== undefined) options.maxTurns = flags.maxTurns;
  if (flags.allowedTools) options.allowedTools = flags.allowedTools;
  if (flags.disallowedTools) options.disallowedTools = flags.disallowedTools;
  if (flags.tools && !isDefault(flags.tools)) options.tools = flags.tools;
  if (flags.addDir) options.additionalDirectories = flags.addDir;
  if (flags.includePartialMessages) options.includePartialMessages = true;

  const mode = flags.dangerouslySkipPermissions ? 'bypassPermissions' : flags.permissionMode;
  if (mode !== undefined) options.permissionMode = mode === 'manual' ? 'default' : mode;
  // Whoever names the mode on a command line has asked for it; the separate switch is for programs.
  if (mode === 'bypassPermissions' || flags.allowDangerouslySkipPermissions) {
    options.allowDangerouslySkipPermissions = true;
  }

  if (flags.planning !== undefined) options.planning = flags.planning;
  if (flags.tasks !== undefined) {
    options.planning = 'tasks';
    options.tasks = { listId: flags.tasks };
  }
  const systemPrompt = systemPromptOf(flags);
  if (systemPrompt !== undefined) options.systemPrompt = systemPrompt;
  return options;
}

function systemPromptOf(flags: PrintFlags): Options['systemPrompt'] {
  const { systemPrompt, appendSystemPrompt: append } = flags;
  if (systemPrompt !== undefined) return append === undefined ? systemPrompt : [systemPrompt, append];
  return append === undefined ? undefined : { type: 'preset', preset: 'claude_code', append };
}

function isDefault(tools: readonly string[]): boolean {
  return tools.length === 1 && tools[0] === 'default';
}

function readDemo(argv: readonly string[]): CommandLine {
  const command = quiet(new Command('waymark demo'))
    .option('-h, --help')
    .addOption(new Option('--planning <mode>').choices(['todo', 'tasks', 'both']).default('both'))
    .option('--json')
    .option('--live')
    .parse(argv, { from: 'user' });
  const flags = command.opts<{
    help?: boolean;
    planning: DemoCommand['planning'];
    json?: boolean;
    live?: boolean;
  }>();
  if (flags.help) return { kind: 'help', text: DEMO_HELP };
  return { kind: 'demo', planning: flags.planning, json: flags.json === true, live: flags.live === true };
}

function collectRules(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), ...splitRules(value)];
}

function nonEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value.trim();
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw new InvalidArgumentError('It must be a whole number from 1.');
  }
  return number;
}
