import { z } from 'zod';

export const taskStatusSchema = z.enum(['pending', 'in_progress', 'completed']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** A task file, `<listId>/<id>.json`. Keys stand in this order on disk; absent keys are left out, never null. */
export const taskSchema = z.looseObject({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.string().optional(),
  owner: z.string().optional(),
  status: taskStatusSchema,
  blocks: z.array(z.string()),
  blockedBy: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type Task = z.infer<typeof taskSchema>;
