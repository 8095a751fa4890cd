import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GlobTool } from '../../src/tools/glob.js';
import { GrepTool } from '../../src/tools/grep.js';
import { type Bench, bench } from './coding-context.js';

let b: Bench;
beforeEach(() => {
  b = bench([GlobTool, GrepTool]);
  for (const folder of ['src', 'src/deep', 'node_modules/dep', '.git'])
    mkdirSync(join(b.root, folder), { recursive: true });
  b.write('.gitignore', 'ignored.ts\n');
  b.write('src/a.ts', 'const one = 1;\nconst two = 2;\nconst three = 3;\n');
  b.write('src/deep/b.ts', 'export const ONE = one;\n');
  b.write('src/c.md', 'one\n');
  b.write('ignored.ts', 'one\n');
  b.write('node_modules/dep/index.ts', 'one\n');
  b.write('.git/config', 'one\n');
  b.write('.env', 'one=1\n');
});
afterEach(() => b.close());

const glob = (pattern: string, path?: string) => b.call(GlobTool, { pattern, ...(path ? { path } : {}) });
const grep = (pattern: string, more: object = {}) => b.call(GrepTool, { pattern, ...more });

describe('Glob', () => {
  test('finds files below, the newest first, without installed packages', async () => {
    const now = Date.now() / 1000;
    utimesSync(join(b.root, 'src/a.ts'), now - 100, now - 100);
    utimesSync(join(b.root, 'src/deep/b.ts'), now - 50, now - 50);
    utimesSync(join(b.root, 'ignored.ts'), now - 200, now - 200);
    const result = await glob('**/*.ts');
    expect(result.text).toBe('src/deep/b.ts\nsrc/a.ts\nignored.ts');
    expect(result.data).toMatchObject({ numFiles: 3, truncated: false, totalMatches: 3 });
  });

  test('finds hidden files, starts at a path, and takes an absolute pattern', async () => {
    expect((await glob('.e*')).text).toBe('.env');
    expect((await glob('*.ts', 'src')).text).toBe('src/a.ts');
    expect((await glob(join(b.root, 'src/*.md'))).text).toBe('src/c.md');
    expect((await glob('src/deep/../c.md')).text).toBe('src/c.md');
  });

  test('says when nothing matches, and when the folder is none', async () => {
    expect(await glob('*.zig')).toMatchObject({ ok: true, text: expect.stringContaining('No files match') });
    expect(await glob('*', 'nowhere')).toMatchObject({
      ok: false,
      text: expect.stringContaining('does not exist'),
    });
    expect(await glob('*', 'src/a.ts')).toMatchObject({
      ok: false,
      text: expect.stringContaining('not a folder'),
    });
  });

  test('shows a hundred and counts the rest', async () => {
    for (let index = 0; index < 120; index++) b.write(`src/f${index}.log`, '');
    const result = await glob('**/*.log');
    expect(result.text.split('\n')).toHaveLength(101);
    expect(result.text).toContain('[20 more');
  });

  test('leads out of the folder neither by a link nor by .. behind a wildcard', async () => {
    symlinkSync('/etc', join(b.root, 'outside'));
    expect((await glob('**/passwd')).text).toContain('No files match');
    expect(await glob('src/*/../../../*')).toMatchObject({ ok: false, text: expect.stringContaining('..') });
  });

  test('what it may reach is what the permission is asked for', () => {
    const access = (pattern: string, path?: string) =>
      GlobTool.access?.({ pattern, path }, {} as Parameters<NonNullable<typeof GlobTool.access>>[1]);
    expect(access('../../etc/*')).toEqual({ kind: 'read', path: '../../etc' });
    expect(access('/etc/**/x')).toEqual({ kind: 'read', path: '/etc' });
    expect(access('/*')).toEqual({ kind: 'read', path: '/' });
    expect(access('**/*', 'src')).toEqual({ kind: 'read', path: 'src' });
  });
});

// With PATH empty and no package for the platform the built-in engine answers; each must give the same.
describe('Grep', () => {
  test('names the files with matches; what git ignores, packages and .git are left out', async () => {
    expect((await grep('one')).text).toBe('.env\nsrc/a.ts\nsrc/c.md\nsrc/deep/b.ts');
    expect((await grep('one')).data).toMatchObject({ mode: 'files_with_matches', numFiles: 4 });
  });

  test('shows lines with numbers and context, gaps marked', async () => {
    expect((await grep('one|three', { output_mode: 'content', path: 'src/a.ts' })).text).toBe(
      'src/a.ts:1:const one = 1;\nsrc/a.ts:3:const three = 3;',
    );
    expect((await grep('two', { output_mode: 'content', path: 'src', '-C': 1 })).text).toBe(
      'src/a.ts-1-const one = 1;\nsrc/a.ts:2:const two = 2;\nsrc/a.ts-3-const three = 3;',
    );
    expect((await grep('two', { output_mode: 'content', '-n': false })).text).toBe('src/a.ts:const two = 2;');
  });

  test('counts, ignores case, and filters by glob and type', async () => {
    expect((await grep('const', { output_mode: 'count', path: 'src' })).text).toBe(
      'src/a.ts:3\nsrc/deep/b.ts:1',
    );
    expect((await grep('ONE =', { '-i': true, type: 'ts' })).text).toBe('src/a.ts\nsrc/deep/b.ts');
    expect((await grep('one', { glob: '*.{md,txt}' })).text).toBe('src/c.md');
  });

  test('goes on from an offset, and says where it was cut', async () => {
    const first = await grep('const', { output_mode: 'content', path: 'src/a.ts', head_limit: 2 });
    expect(first.text).toContain('[cut at 2; go on with offset 2]');
    expect(
      (await grep('const', { output_mode: 'content', path: 'src/a.ts', head_limit: 2, offset: 2 })).text,
    ).toBe('src/a.ts:3:const three = 3;');
  });

  test('matches over several lines only when asked', async () => {
    expect((await grep('1;\\nconst two', { multiline: true })).text).toBe('src/a.ts');
    expect((await grep('1;\\nconst two')).ok).toBe(false);
  });

  test('says when nothing matches, and when the pattern or the path cannot be used', async () => {
    expect(await grep('nirgends')).toMatchObject({ ok: true, text: 'No matches.' });
    expect((await grep('(')).ok).toBe(false);
    expect(await grep('x', { path: 'nowhere' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('does not exist'),
    });
  });
});
