import { z } from 'zod';
import { verificationNudge } from '../attention/nudge.js';
import { WaymarkError } from '../errors.js';
import { type Todo, todoStatusSchema } from '../todo/todo.js';
import { TodoManager } from '../todo/todo-manager.js';
import { defineTool, type ToolContext, type ToolResult } from '../tool.js';

const todoId = z
  .union([z.int().positive(), z.string().regex(/^\s*\d{1,9}\s*$/, 'must be a whole number')])
  .transform(Number);

export const todoInputSchema = z.strictObject({
  action: z.enum(['add', 'update', 'view']),
  content: z.string().optional(),
  todo_id: todoId.optional(),
  status: todoStatusSchema.optional(),
});

export interface TodoOutput {
  oldTodos: readonly Todo[];
  newTodos: readonly Todo[];
  /** The item that was added or updated. */
  id?: number;
}

type TodoInput = z.output<typeof todoInputSchema>;

/** V1 in small steps, for models that do better with them: one item is added or updated by a call. Opt-in. */
export const TodoTool = defineTool({
  name: 'Todo',
  description:
    'Keeps your todo list, one step a call. add needs content; update needs todo_id and status; view shows the list. ' +
    'One item is in_progress at a time: starting one sets the other back to pending.',
  inputSchema: todoInputSchema,
  planning: ['todo'],
  optIn: true,
  access: () => ({ kind: 'none' }),
  isReadOnly: (input) => input.action === 'view',
  // Ids are given in the order of the blocks, and a view shows what the calls before it did.
  isConcurrencySafe: () => false,
  repair: withoutEmptyKeys,
  async call(input, context) {
    const key = context.agentId ?? context.sessionId;
    const manager = new TodoManager({ lists: context.todos, key });
    try {
      return perform(input, manager, context, key);
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      const stored = context.todos.read(key);
      return {
        data: { oldTodos: stored, newTodos: stored },
        content: `${error.message}.\n${manager.view()}`,
        isError: true,
      };
    }
  },
});

function perform(
  input: TodoInput,
  manager: TodoManager,
  context: ToolContext,
  key: string,
): ToolResult<TodoOutput> {
  const { action, content, todo_id: givenId, status } = input;
  const oldTodos = context.todos.read(key);
  if (action === 'view') return { data: { oldTodos, newTodos: oldTodos }, content: manager.view() };
  if (action === 'add') {
    if (content === undefined) throw missing('add', ['content']);
    const id = manager.add(content);
    if (status !== undefined && status !== 'pending') return update(manager, context, id, status, oldTodos);
    return { data: { oldTodos, newTodos: context.todos.read(key), id }, content: manager.view() };
  }
  const absent = [givenId === undefined ? 'todo_id' : '', status === undefined ? 'status' : ''].filter(
    Boolean,
  );
  if (givenId === undefined || status === undefined) throw missing('update', absent);
  const result = update(manager, context, givenId, status, oldTodos);
  const current = manager.items.find((item) => item.id === givenId)?.content;
  if (content === undefined || content === current) return result;
  return { ...result, content: `${result.content}\nNote: update changes the status only; content stays.` };
}

function update(
  manager: TodoManager,
  context: ToolContext,
  id: number,
  status: Todo['status'],
  oldTodos: readonly Todo[],
): ToolResult<TodoOutput> & { content: string } {
  const { newTodos, closedNow } = manager.update(id, status);
  const nudge = verificationNudge({
    items: newTodos.map((todo) => ({ text: todo.content, completed: todo.status === 'completed' })),
    closedNow,
    mainAgent: context.agentId === undefined,
    ...context.verification,
  });
  const content = [manager.view(), nudge].filter((part) => part !== undefined).join('\n\n');
  return { data: { oldTodos, newTodos, id }, content };
}

function missing(action: string, keys: readonly string[]): WaymarkError {
  return new WaymarkError('invalid_input', `${action} needs ${keys.join(' and ')}, nothing was changed`);
}

/** Small models fill every key of the schema; null and blank text stand for "not given". */
function withoutEmptyKeys(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  const given = entries.filter(
    ([, value]) => value !== null && !(typeof value === 'string' && value.trim() === ''),
  );
  return given.length === entries.length ? input : Object.fromEntries(given);
}
