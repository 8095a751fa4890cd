import { z } from 'zod';

export const todoStatusSchema = z.enum(['pending', 'in_progress', 'completed']);
export type TodoStatus = z.infer<typeof todoStatusSchema>;

const text = z.string().refine((value) => value.trim() !== '', 'must not be empty');

/** One item of the V1 list. `activeForm` ("Running the tests") falls back to `content` ("Run the tests"). */
export const todoSchema = z
  .strictObject({ content: text, status: todoStatusSchema, activeForm: text.optional() })
  .transform((todo) => ({ ...todo, activeForm: todo.activeForm ?? todo.content }));
export type Todo = z.output<typeof todoSchema>;
