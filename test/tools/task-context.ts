import { MemoryTaskStore } from '../../src/tasks/memory-store.js';
import { noTaskHooks } from '../../src/tasks/task-hooks.js';
import type { ToolContext } from '../../src/tool.js';

type Used = Pick<
  ToolContext,
  'agentId' | 'agentName' | 'swarm' | 'signal' | 'tasks' | 'taskHooks' | 'notifyOwner' | 'verification'
>;

/** The part of a context that the Task tools may use; anything else they touch is undefined and fails. */
export function taskContext(parts: Partial<Used> = {}): ToolContext {
  const used: Used = {
    swarm: false,
    signal: new AbortController().signal,
    tasks: new MemoryTaskStore(),
    taskHooks: noTaskHooks,
    verification: { enabled: false, agentTool: false },
    ...parts,
  };
  return used as ToolContext;
}

/** A list in memory with tasks of these subjects, numbered from 1. */
export async function memoryList(...subjects: string[]): Promise<MemoryTaskStore> {
  const tasks = new MemoryTaskStore();
  for (const subject of subjects) await tasks.create({ subject, description: `about ${subject}` });
  return tasks;
}
