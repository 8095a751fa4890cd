import { Attention } from '../attention/attention-log.js';
import { reminderSettings } from '../attention/settings.js';
import { systemBlocks } from '../context/system-prompt.js';
import { Dispatch } from '../dispatch/dispatch.js';
import { systemClock } from '../environment.js';
import { errorText } from '../errors.js';
import type { PlanningMode } from '../gate.js';
import { SessionHooks } from '../hooks/session-hooks.js';
import { anthropicModel } from '../model/anthropic.js';
import type { Model } from '../model/model.js';
import { RequestBody } from '../model/request-body.js';
import { Permissions } from '../permissions/permissions.js';
import { explainMissing, type ToolSet } from '../registry.js';
import { toolJsonSchema } from '../schema/input-schema.js';
import type { Settings } from '../settings/read-options.js';
import { openTaskItems } from '../tasks/reminder.js';
import { openTodoItems } from '../todo/reminder.js';
import { createToolContext, type SessionContext } from '../tool-context.js';

/** How long a running call may take to end after an interrupt, in milliseconds. */
const INTERRUPT_GRACE_MS = 3000;

/** What a session is put together from. */
export interface SessionParts {
  hooks: SessionHooks;
  permissions: Permissions;
  context: SessionContext;
  dispatch: Dispatch;
  attention: Attention;
  body: RequestBody;
  model: Model;
}

export interface SessionWiring {
  settings: Settings;
  toolSet: ToolSet;
  /** The signal of the run that is on. */
  signal: () => AbortSignal;
  /** Told what a person should know and what ends nothing. */
  notice: (text: string) => void;
}

/** Puts the parts of a session together. Throws `invalid_options` for bad hooks or rules, `no_credentials`. */
export function sessionParts({ settings, toolSet, signal, notice }: SessionWiring): SessionParts {
  const { options, env, sessionId, agentName } = settings;
  const { planning, tools } = toolSet;
  // Without its tools the model could do nothing about a plan.
  const mode = tools.some((tool) => tool.planning?.includes(planning.mode)) ? planning.mode : 'off';
  const permissions = new Permissions({
    mode: settings.permissionMode,
    allowedTools: options.allowedTools ?? [],
    disallowedTools: options.disallowedTools ?? [],
    canUseTool: options.canUseTool,
    notice,
  });
  const base = () => ({
    session_id: sessionId,
    transcript_path: '',
    cwd: settings.cwd,
    permission_mode: permissions.mode,
  });
  const hooks = new SessionHooks({ matchers: options.hooks, base, signal, notice });
  const context = createToolContext({
    sessionId,
    env,
    cwd: settings.cwd,
    additionalDirectories: options.additionalDirectories,
    planning: planning.mode,
    tasks: options.tasks,
    team: options.team,
    agentName,
    taskHooks: hooks.taskHooks({
      ...(agentName ? { teammate: agentName } : {}),
      ...(options.team ? { team: options.team } : {}),
    }),
    verification: {
      enabled: options.verificationNudge ?? true,
      agentTool: tools.some((tool) => tool.name === 'Agent'),
    },
    warn: notice,
  });
  const dispatch = new Dispatch({
    tools,
    context,
    hooks,
    permissions,
    maxResultChars: settings.maxToolResultChars,
    explainUnknown: (name) => explainMissing(name, planning),
    clock: systemClock,
    graceMs: INTERRUPT_GRACE_MS,
  });
  const attention = new Attention({
    settings: reminderSettings(options.reminders),
    mode,
    readOpenItems: async () =>
      mode === 'todo'
        ? openTodoItems(context.todos.read(sessionId))
        : openTaskItems(await context.tasks.list(), agentName === undefined ? {} : { agentName }),
    onProblem: (error) => notice(`No reminder of the plan: ${errorText(error)}`),
  });
  return {
    hooks,
    permissions,
    context,
    dispatch,
    attention,
    body: requestBody(settings, toolSet, mode),
    model: anthropicModel({ env }),
  };
}

/** What stays the same in every request of the session. */
function requestBody(settings: Settings, { tools }: ToolSet, planning: PlanningMode): RequestBody {
  return new RequestBody({
    model: settings.model,
    maxOutputTokens: settings.maxOutputTokens,
    tools: tools.map(({ name, description, inputSchema, inputJsonSchema }) => ({
      name,
      description,
      input_schema: inputJsonSchema ?? toolJsonSchema(name, inputSchema),
    })),
    system: systemBlocks(settings.options.systemPrompt, {
      cwd: settings.cwd,
      platform: process.platform,
      day: localDay(new Date(systemClock())),
      planning,
      offered: tools.map((tool) => tool.name),
    }),
  });
}

/** `YYYY-MM-DD` in local time, without loading the tables of all languages. */
function localDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
