// Puts the sources together to a few files: a start then loads some ten files in place of 170, which takes 40 ms less.
// Packages stay outside. The types come from tsc, file by file.
import { rolldown } from 'rolldown';

/** Files that something outside starts or imports by their name. */
const ENTRIES = [
  'index',
  'testing/index',
  'cli/main',
  // Started as a process and as a thread.
  'demo/worker',
  'workspace/search/built-in',
  // Used by tests that need processes of their own.
  'demo/run-demo',
  'demo/workers',
];

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  external: /^[^./]/,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await bundle.close();
