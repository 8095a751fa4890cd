import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileTaskStore } from '../../src/tasks/file-store.js';
import { MemoryTaskStore } from '../../src/tasks/memory-store.js';
import { describeTaskStore } from './store-contract.js';

describeTaskStore('the task store in files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'waymark-tasks-'));
  return {
    store: new FileTaskStore({ dir, listId: 'plan' }),
    dispose: () => rmSync(dir, { recursive: true, force: true }),
  };
});

describeTaskStore('the task store in memory', () => ({
  store: new MemoryTaskStore(),
  dispose: () => undefined,
}));
