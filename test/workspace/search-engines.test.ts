import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInEngine } from '../../src/workspace/search/built-in.js';
import { chooseEngine } from '../../src/workspace/search/engines.js';
import { findOnPath, packagedRipgrep, ripgrepEngine } from '../../src/workspace/search/ripgrep.js';
import type { SearchEngine, SearchRequest } from '../../src/workspace/search/search.js';

const never = new AbortController().signal;
let root: string;

const FILES: Readonly<Record<string, string | Buffer>> = {
  '.gitignore': 'build/\n*.log\n!keep.log\n',
  'a.ts': 'import x from "x";\nconst Größe = 1;\n\nexport const size = Größe;\n',
  'b.js': 'const size = 2;\r\nmodule.exports = { size };\r\n',
  'sub/.gitignore': 'secret.txt\n',
  'sub/secret.txt': 'size\n',
  'sub/open.txt': 'no match\nsize here\nsize there\n',
  'build/out.js': 'size\n',
  'noise.log': 'size\n',
  'keep.log': 'size\n',
  'binary.bin': Buffer.from('size\0size'),
  'node_modules/p/index.js': 'size\n',
  '.hidden/h.txt': 'size\n',
  'long.txt': `${'x'.repeat(3000)} size ${'y'.repeat(3000)}\n`,
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'waymark-search-'));
  mkdirSync(join(root, '.git'));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function request(fields: Partial<SearchRequest>): SearchRequest {
  return {
    path: root,
    pattern: 'size',
    mode: 'content',
    ignoreCase: false,
    multiline: false,
    before: 0,
    after: 0,
    globs: [],
    limit: 1000,
    ...fields,
  };
}

async function ripgrep(): Promise<SearchEngine> {
  const program = (await packagedRipgrep()) ?? findOnPath('rg', { PATH: process.env.PATH });
  // Both ways to have it are part of the installation that runs these tests.
  if (program === undefined) throw new Error('ripgrep is neither packaged nor on PATH');
  return ripgrepEngine(program);
}

test('there is always an engine: the packaged ripgrep, rg on PATH, or the built-in one', async () => {
  expect(['ripgrep', 'built-in']).toContain((await chooseEngine({ PATH: '' })).name);
});

describe('both engines give the same answer', () => {
  test.each<[string, Partial<SearchRequest>]>([
    ['lines', {}],
    ['files', { mode: 'files_with_matches' }],
    ['counts', { mode: 'count' }],
    ['context', { before: 1, after: 1 }],
    ['no case', { pattern: 'SIZE', ignoreCase: true }],
    ['words', { pattern: '\\bGröße\\b' }],
    ['classes', { pattern: '[[:upper:]]\\w+' }],
    ['anchors', { pattern: '^size' }],
    ['line ends of Windows', { pattern: 'size };$' }],
    ['over lines', { pattern: 'match\\nsize', multiline: true }],
    ['a glob', { globs: ['*.ts'] }],
    ['a glob that excludes', { globs: ['!*.ts'] }],
    ['a glob of a folder', { globs: ['sub/**'] }],
    ['a type', { type: 'js', mode: 'files_with_matches' }],
    ['no match', { pattern: 'nirgends' }],
    ['one file', { path: 'sub/open.txt' }],
    ['a folder that is ignored, asked for', { path: 'node_modules/p' }],
  ])('%s', async (_name, fields) => {
    const asked = request({ ...fields, path: fields.path === undefined ? root : join(root, fields.path) });
    const [one, other] = [
      await (await ripgrep()).search(asked, never),
      await builtInEngine().search(asked, never),
    ];
    expect(other).toEqual(one);
  });

  test.each<[string, Partial<SearchRequest>]>([
    ['a pattern that is none', { pattern: '(' }],
    ['an unknown type', { type: 'klingon' }],
  ])('and refuse %s', async (_name, fields) => {
    for (const engine of [await ripgrep(), builtInEngine()]) {
      await expect(engine.search(request(fields), never)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });
});

describe('the built-in engine', () => {
  test('is ended at its limit in the middle of a match that would never end', async () => {
    writeFileSync(join(root, 'evil.txt'), `${'a'.repeat(40)}!\n`);
    const engine = builtInEngine({ limitMs: 300 });
    await expect(engine.search(request({ pattern: '^(a+)+$' }), never)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    rmSync(join(root, 'evil.txt'));
  });

  test.each(['(?<n>a)(?i)b', '\\b{start}', '[a~~b]', '\\pQ'])(
    'names what it does not have: %s',
    async (pattern) => {
      await expect(builtInEngine().search(request({ pattern }), never)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    },
  );
});

test('an interrupt ends either search', async () => {
  for (const engine of [await ripgrep(), builtInEngine()]) {
    await expect(engine.search(request({}), AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  }
});
