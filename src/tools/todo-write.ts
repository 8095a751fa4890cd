import { z } from 'zod';
import { verificationNudge } from '../attention/nudge.js';
import { explainTodosText, repairTodosInput } from '../todo/parse-todos.js';
import { type Todo, todoSchema } from '../todo/todo.js';
import { droppedText, droppedTodos, inProgressHint, todoListText } from '../todo/todo-text.js';
import { defineTool, type ToolContext } from '../tool.js';

export const todoWriteInputSchema = z.strictObject({ todos: z.array(todoSchema) });

export interface TodoWriteOutput {
  oldTodos: readonly Todo[];
  newTodos: readonly Todo[];
}

/**
 * V1: replaces the whole todo list. `data` is `{ oldTodos, newTodos }`; the text shows the list with its states.
 * When every item is completed the stored list becomes `[]`, while `newTodos` is the list as submitted.
 */
export const TodoWriteTool = defineTool({
  name: 'TodoWrite',
  description:
    'Keeps your todo list for this job. Each call replaces the whole list, so send every item, done ones too. ' +
    'Write it before the first action when a job takes 3 or more steps, and again the moment an item changes: ' +
    'one item in_progress while you work on it, completed only when it is really done. Add steps you discover. ' +
    'content says what to do ("Run the tests"), activeForm the same as under way ("Running the tests"). ' +
    'No list for one simple step or a question.',
  inputSchema: todoWriteInputSchema,
  planning: ['todo'],
  access: () => ({ kind: 'none' }),
  // Two lists in one answer take effect in the order of their blocks.
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  repair: repairTodosInput,
  explainInvalid(input, context) {
    const stored = context.todos.read(todoKey(context)).length;
    const kept = `The stored list is unchanged (${stored} ${stored === 1 ? 'item' : 'items'}).`;
    return [explainTodosText(input), kept].filter(Boolean).join(' ');
  },
  async call({ todos }, context) {
    const { oldTodos, newTodos, closedNow } = context.todos.write(todoKey(context), todos);
    const nudge = verificationNudge({
      items: newTodos.map((todo) => ({ text: todo.content, completed: todo.status === 'completed' })),
      closedNow,
      mainAgent: context.agentId === undefined,
      ...context.verification,
    });
    const parts = [
      todoListText(newTodos),
      droppedText(droppedTodos(oldTodos, newTodos)),
      inProgressHint(newTodos),
      nudge,
    ];
    const data: TodoWriteOutput = { oldTodos, newTodos };
    return { data, content: parts.filter((part) => part !== undefined).join('\n\n') };
  },
});

function todoKey(context: ToolContext): string {
  return context.agentId ?? context.sessionId;
}
