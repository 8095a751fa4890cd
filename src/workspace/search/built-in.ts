import { parentPort, Worker, workerData } from 'node:worker_threads';
import { errorText, WaymarkError } from '../../errors.js';
import { compiledFile } from '../../package-files.js';
import { scan } from './scan.js';
import { LONGEST_SEARCH_MS, type SearchAnswer, type SearchEngine, type SearchRequest } from './search.js';

/** What the thread is started with; it imports this very module and calls `searchInThread`. */
const START =
  "import(require('node:worker_threads').workerData.module).then((module) => module.searchInThread())";

type Reply = { answer: SearchAnswer } | { failure: string };

/** The thread's side: reads the request it was started with and posts one reply. */
export function searchInThread(): void {
  let reply: Reply;
  try {
    const request: SearchRequest = workerData.request;
    reply = { answer: scan(request) };
  } catch (error) {
    reply = { failure: errorText(error) };
  }
  parentPort?.postMessage(reply);
}

/**
 * The search for machines without ripgrep. It works in a thread of its own with a time limit, so that a pattern that
 * backtracks for ever can be ended. `module` is the URL of this module, compiled; `limitMs` the longest search.
 */
export function builtInEngine(options: { module?: string; limitMs?: number } = {}): SearchEngine {
  const { module = compiledFile('workspace/search/built-in.js'), limitMs = LONGEST_SEARCH_MS } = options;
  return {
    name: 'built-in',
    search: (request, signal) =>
      new Promise<SearchAnswer>((resolve, reject) => {
        const worker = new Worker(START, { eval: true, workerData: { module, request }, env: {} });
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          // Settled only once the thread is gone; ending a thread does not fail.
          void worker.terminate().then(settle, settle);
        };
        const fail = (error: WaymarkError) => finish(() => reject(error));
        const onAbort = () => fail(new WaymarkError('aborted', 'The search was interrupted.'));
        const timer = setTimeout(() => {
          fail(
            new WaymarkError(
              'invalid_input',
              `The search took more than ${limitMs / 1000} s. Name a narrower path or glob, or a simpler pattern.`,
            ),
          );
        }, limitMs);
        signal.addEventListener('abort', onAbort, { once: true });
        worker.once('message', (reply: Reply) => {
          if ('answer' in reply) finish(() => resolve(reply.answer));
          else fail(new WaymarkError('invalid_input', reply.failure));
        });
        worker.once('error', (error) => {
          fail(new WaymarkError('run_failed', `The search failed: ${errorText(error)}`, { cause: error }));
        });
        if (signal.aborted) onAbort();
      }),
  };
}
