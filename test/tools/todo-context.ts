import { inputErrorText } from '../../src/schema/input-error.js';
import { TodoLists } from '../../src/todo/todo-lists.js';
import type { AnyTool, ToolContext, ToolResult } from '../../src/tool.js';

/** The part of a context that the todo tools may use; anything else they touch is undefined and fails. */
export function todoContext(
  parts: Partial<Pick<ToolContext, 'sessionId' | 'agentId' | 'todos' | 'verification'>> = {},
): ToolContext {
  const used: Pick<ToolContext, 'sessionId' | 'agentId' | 'todos' | 'verification'> = {
    sessionId: 'session-1',
    todos: new TodoLists(),
    verification: { enabled: false, agentTool: false },
    ...parts,
  };
  return used as ToolContext;
}

/** What dispatch does with an input: repair, validate, call. A refused input gives the error text for the model. */
export async function send(
  tool: AnyTool,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult & { content: string }> {
  const repaired = tool.repair ? tool.repair(input) : input;
  const parsed = tool.inputSchema.safeParse(repaired);
  if (!parsed.success) {
    const extra = await tool.explainInvalid?.(repaired, context);
    return {
      data: undefined,
      content: inputErrorText(tool.name, parsed.error, repaired, extra),
      isError: true,
    };
  }
  const result: ToolResult = await tool.call(parsed.data, context);
  if (typeof result.content !== 'string') throw new Error('a todo tool answers with plain text');
  return { ...result, content: result.content };
}
