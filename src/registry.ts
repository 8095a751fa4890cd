import {
  decidePlanning,
  type GateInputs,
  type PlanningDecision,
  type PlanningMode,
  type PlanningOption,
} from './gate.js';
import type { AnyTool } from './tool.js';
import { BashTool } from './tools/bash.js';
import { EditTool } from './tools/edit.js';
import { GlobTool } from './tools/glob.js';
import { GrepTool } from './tools/grep.js';
import { ReadTool } from './tools/read.js';
import { TaskCreateTool } from './tools/task-create.js';
import { TaskGetTool } from './tools/task-get.js';
import { TaskListTool } from './tools/task-list.js';
import { TaskOutputTool } from './tools/task-output.js';
import { TaskStopTool } from './tools/task-stop.js';
import { TaskUpdateTool } from './tools/task-update.js';
import { TodoTool } from './tools/todo.js';
import { TodoWriteTool } from './tools/todo-write.js';
import { WriteTool } from './tools/write.js';

/** What is registered in a planning mode. A new tool is one line here. */
export function builtinTools(planning: PlanningMode): AnyTool[] {
  return [
    ReadTool,
    WriteTool,
    EditTool,
    GlobTool,
    GrepTool,
    BashTool,
    TaskOutputTool,
    TaskStopTool,
    TodoWriteTool,
    TodoTool,
    ...(planning === 'tasks' ? [TaskCreateTool, TaskGetTool, TaskUpdateTool, TaskListTool] : []),
  ];
}

/** Whether a tool belongs to the mode. `TodoWrite` and the Task tools are exact inverses: never both, never neither. */
export function isEnabled(tool: AnyTool, planning: PlanningMode): boolean {
  return tool.planning === undefined || tool.planning.includes(planning);
}

export interface RegistryInput extends GateInputs {
  /** Default `auto`: the gate decides. */
  planning?: PlanningOption | undefined;
  /** The names to offer; absent or the preset: all that need no asking for. */
  tools?: readonly string[] | { type: 'preset' } | undefined;
  /** Rules; a planning tool that is named here is offered too. */
  allowedTools?: readonly string[] | undefined;
  /** Rules; a bare name, `mcp__server` or a name with a star takes tools out. */
  disallowedTools?: readonly string[] | undefined;
  /** Tools of the host's: those of in-process servers, or made with `defineTool`. Not subject to `tools`. */
  extra?: readonly AnyTool[] | undefined;
}

export interface ToolSet {
  planning: PlanningDecision;
  tools: AnyTool[];
  /** Tools that were named and are not there, a sentence for each reason. */
  warnings: string[];
}

/** The tools that a model is offered: the gate's mode, the host's choice. */
export function getTools(input: RegistryInput = {}): AnyTool[] {
  return chooseTools(input).tools;
}

/** As `getTools`, with the planning mode and why, and what was asked for in vain. Asked once, at a session's start. */
export function chooseTools(input: RegistryInput = {}): ToolSet {
  const { tools, allowedTools = [], disallowedTools = [], extra = [] } = input;
  const planning = decidePlanning(input.planning, input);
  const registered = builtinTools(planning.mode).filter((tool) => isEnabled(tool, planning.mode));
  const named = isList(tools) ? tools : undefined;
  const optedIn = new Set([...(named ?? []), ...allowedTools.filter(isPlanningName)]);
  const isChosen = (tool: AnyTool) =>
    answersTo(tool, optedIn) || (named === undefined && tool.optIn !== true);
  const offered = [...registered.filter(isChosen), ...extra].filter(
    (tool) => !disallowedTools.some((rule) => takesOut(rule, tool.name)),
  );
  const asked = [...new Set([...(named ?? []), ...allowedTools.map(bareName)])];
  return { planning, tools: offered, warnings: missing(asked, registered, planning) };
}

function isList(tools: RegistryInput['tools']): tools is readonly string[] {
  return Array.isArray(tools);
}

function answersTo(tool: AnyTool, names: ReadonlySet<string>): boolean {
  return names.has(tool.name) || (tool.aliases ?? []).some((alias) => names.has(alias));
}

/** `Bash(git log:*)` speaks of Bash. */
function bareName(rule: string): string {
  return rule.replace(/\s*\(.*$/s, '').trim();
}

function takesOut(rule: string, name: string): boolean {
  const pattern = rule.trim();
  if (pattern === name || pattern === '*') return true;
  if (pattern.endsWith('*')) return name.startsWith(pattern.slice(0, -1));
  return pattern.startsWith('mcp__') && name.startsWith(`${pattern}__`);
}

const PLANNING_TOOLS = [...builtinPlanning('todo'), ...builtinPlanning('tasks')];

function builtinPlanning(mode: PlanningMode): Array<{ name: string; mode: PlanningMode }> {
  return builtinTools(mode).flatMap((tool) =>
    tool.planning?.includes(mode) ? [{ name: tool.name, mode }] : [],
  );
}

function isPlanningName(rule: string): boolean {
  return PLANNING_TOOLS.some(({ name }) => name === rule);
}

const SWITCHES: Readonly<Record<PlanningMode, string>> = {
  todo: "CLAUDE_CODE_ENABLE_TASKS=0 or options.planning = 'todo'",
  tasks: "CLAUDE_CODE_ENABLE_TASKS=1 or options.planning = 'tasks'",
  off: '',
};

/** Why a planning tool of this name is not there, with the switch that would bring it; undefined for other names. */
export function explainMissing(name: string, planning: PlanningDecision): string | undefined {
  const tool = PLANNING_TOOLS.find((known) => known.name === name);
  if (!tool || tool.mode === planning.mode) return undefined;
  return (
    `${name} is not offered: the planning mode is '${planning.mode}' (${planning.reason}). ` +
    `${SWITCHES[tool.mode]} would bring it.`
  );
}

function missing(
  asked: readonly string[],
  registered: readonly AnyTool[],
  planning: PlanningDecision,
): string[] {
  const absent = asked.filter((name) => !registered.some((tool) => answersTo(tool, new Set([name]))));
  const explained = absent.flatMap((name) => explainMissing(name, planning) ?? []);
  const unknown = absent.filter((name) => !isPlanningName(name) && !/^mcp__|\*/.test(name));
  if (unknown.length === 0) return explained;
  return [...explained, `These tools do not exist in this version: ${unknown.join(', ')}.`];
}
