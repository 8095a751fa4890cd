import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EditTool } from '../../src/tools/edit.js';
import { ReadTool } from '../../src/tools/read.js';
import { WriteTool } from '../../src/tools/write.js';
import { type Bench, bench } from './coding-context.js';

let b: Bench;
beforeEach(() => {
  b = bench([ReadTool, EditTool, WriteTool]);
});
afterEach(() => b.close());

const read = (file_path: string, more: object = {}) => b.call(ReadTool, { file_path, ...more });
const edit = (file_path: string, old_string: string, new_string: string, more: object = {}) =>
  b.call(EditTool, { file_path, old_string, new_string, ...more });
const write = (file_path: string, content: string) => b.call(WriteTool, { file_path, content });

/** Reads, so that an edit is allowed, and edits. */
async function readAndEdit(name: string, old: string, fresh: string, more: object = {}) {
  expect((await read(name)).ok).toBe(true);
  return edit(name, old, fresh, more);
}

describe('Read', () => {
  test('numbers the lines and tells how to read on', async () => {
    b.write('a.txt', 'one\ntwo\nthree\nfour\n');
    expect(await read('a.txt')).toMatchObject({
      text: '1\tone\n2\ttwo\n3\tthree\n4\tfour',
      data: {
        type: 'text',
        file: { content: 'one\ntwo\nthree\nfour', numLines: 4, startLine: 1, totalLines: 4 },
      },
    });
    expect((await read('a.txt', { offset: 2, limit: 2 })).text).toBe(
      '2\ttwo\n3\tthree\n[lines 2–3 of 4; go on with offset 4]',
    );
    expect((await read('a.txt', { offset: 9 })).text).toContain('4 lines only');
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /empty/],
    ['binary data', Buffer.from([1, 2, 0, 4]), /binary/],
    ['a program', Buffer.from('\x7fELF\0\0'), /Linux program/],
  ])('of %s says what it is', async (_name, content, says) => {
    b.write('x', content);
    expect((await read('x')).text).toMatch(says);
  });

  test('of a folder, of nothing, and of a pipe fails at once with the reason', async () => {
    mkdirSync(join(b.root, 'dir'));
    expect(await read('dir')).toMatchObject({ ok: false, text: expect.stringContaining('folder') });
    expect(await read('none')).toMatchObject({ ok: false, text: expect.stringContaining('does not exist') });
    expect(await read('/dev/zero')).toMatchObject({
      ok: false,
      text: expect.stringContaining('regular file'),
    });
  });

  test('shows an image by its content, whatever its name', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
    b.write('picture.txt', png);
    expect((await read('picture.txt')).content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
    ]);
  });

  test('B75 of a file of 5 MB stays small, names the rest, and a very long line is cut', async () => {
    b.write('big.txt', 'x'.repeat(100).concat('\n').repeat(50_000));
    const big = await read('big.txt');
    expect(big.text.length).toBeLessThan(60_000);
    expect(big.text).toMatch(/of 50000; go on with offset \d+/);
    b.write('line.txt', 'y'.repeat(5_000_000));
    expect((await read('line.txt')).text).toContain('line cut, 5000000 characters');
  });
});

describe('Edit and Write need the file as it is', () => {
  test('not read: refused, and the file stays', async () => {
    b.write('a.txt', 'old');
    expect(await edit('a.txt', 'old', 'new')).toMatchObject({
      ok: false,
      text: expect.stringContaining('Read it first'),
    });
    expect(await write('a.txt', 'new')).toMatchObject({
      ok: false,
      text: expect.stringContaining('Read it first'),
    });
    expect(b.read('a.txt')).toBe('old');
  });

  test('changed since: refused, and what was changed stays', async () => {
    b.write('a.txt', 'old');
    await read('a.txt');
    b.write('a.txt', 'old, and a note by somebody else');
    expect(await edit('a.txt', 'old', 'new')).toMatchObject({
      ok: false,
      text: expect.stringContaining('changed'),
    });
    expect(await write('a.txt', 'new')).toMatchObject({
      ok: false,
      text: expect.stringContaining('changed'),
    });
    expect(b.read('a.txt')).toBe('old, and a note by somebody else');
  });

  test('touched, with the same content: allowed', async () => {
    const path = b.write('a.txt', 'old');
    await read('a.txt');
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect((await edit('a.txt', 'old', 'new')).ok).toBe(true);
  });

  test('after a change of their own they need no new read', async () => {
    await write('a.txt', 'one');
    expect((await edit('a.txt', 'one', 'two')).ok).toBe(true);
    expect((await edit('a.txt', 'two', 'three')).ok).toBe(true);
    expect((await write('a.txt', 'four')).ok).toBe(true);
    expect(b.read('a.txt')).toBe('four');
  });
});

describe('Write', () => {
  test('makes missing folders and says what it did', async () => {
    expect(await write('deep/down/a.txt', 'one\ntwo\n')).toMatchObject({
      ok: true,
      text: 'Created deep/down/a.txt (2 lines).',
      data: { type: 'create', originalFile: null },
    });
    expect(b.read('deep/down/a.txt')).toBe('one\ntwo\n');
  });

  test('gives the change as hunks', async () => {
    await write('a.txt', 'one\ntwo\n');
    expect((await write('a.txt', 'one\n2\n')).data).toMatchObject({
      type: 'update',
      originalFile: 'one\ntwo\n',
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+2'] }],
    });
  });

  test('refuses text that UTF-8 cannot hold', async () => {
    expect(await write('a.txt', 'half \ud800')).toMatchObject({
      ok: false,
      text: expect.stringContaining('surrogate'),
    });
    expect(existsSync(join(b.root, 'a.txt'))).toBe(false);
  });
});

describe('Edit', () => {
  const dollars = "$& $$ $1 $' $`";

  test.each([false, true])('B99 dollar signs land exactly as given (replace_all %s)', async (replace_all) => {
    b.write('a.txt', 'v=OLD;');
    expect((await readAndEdit('a.txt', 'OLD', dollars, { replace_all })).ok).toBe(true);
    expect(b.read('a.txt')).toBe(`v=${dollars};`);
  });

  test.each([
    [
      'a CRLF file, by LF text over two lines',
      'one\r\ntwo\r\nthree\r\n',
      'one\ntwo',
      'one\n2\nnew',
      'one\r\n2\r\nnew\r\nthree\r\n',
    ],
    ['a mixed file: untouched lines keep their ends', 'a\r\nb\nc\r\n', 'b', 'B', 'a\r\nB\nc\r\n'],
    ['a file without a final newline', 'a\nb', 'b', 'c', 'a\nc'],
    ['tabs', '\tif (x)\n\t\ty();\n', '\t\ty();', '\t\tz();', '\tif (x)\n\t\tz();\n'],
    ['a byte order mark stays', '\uFEFFa\nb\n', 'a', 'A', '\uFEFFA\nb\n'],
  ])('B100 %s', async (_name, before, old, fresh, after) => {
    b.write('a.txt', before);
    expect((await readAndEdit('a.txt', old, fresh)).ok).toBe(true);
    expect(b.read('a.txt')).toBe(after);
  });

  test('B102 a text that is not unique is refused with count and lines; replace_all changes all and counts', async () => {
    b.write('a.txt', 'x\nsame\ny\nsame\n');
    const refused = await readAndEdit('a.txt', 'same', 'other');
    expect(refused).toMatchObject({ ok: false, text: expect.stringMatching(/2 times.*lines 2, 4/) });
    expect(b.read('a.txt')).toBe('x\nsame\ny\nsame\n');
    expect((await edit('a.txt', 'same', 'other', { replace_all: true })).text).toContain('2 replacements');
    expect(b.read('a.txt')).toBe('x\nother\ny\nother\n');
  });

  test('a text that is not there is explained where a near miss shows why', async () => {
    b.write('a.txt', '    indented\n');
    expect((await readAndEdit('a.txt', '\tindented', 'x')).text).toMatch(/line 1 with different spaces/);
    expect((await edit('a.txt', '1\tindented', 'x')).text).toMatch(/line number/);
    expect((await edit('a.txt', 'nothing like it', 'x')).text).toMatch(/not found/);
  });

  test('empty, equal, and not UTF-8 are refused', async () => {
    b.write('a.txt', 'x');
    expect((await readAndEdit('a.txt', '', 'y')).ok).toBe(false);
    expect((await edit('a.txt', 'x', 'x')).ok).toBe(false);
    b.write('latin.txt', Buffer.from([0x68, 0xe9, 0x6a]));
    expect(await readAndEdit('latin.txt', 'h', 'x')).toMatchObject({
      ok: false,
      text: expect.stringContaining('UTF-8'),
    });
    expect(readFileSync(join(b.root, 'latin.txt'))).toEqual(Buffer.from([0x68, 0xe9, 0x6a]));
  });

  test('shows the lines around the change', async () => {
    b.write('a.txt', 'a\nb\nc\nd\ne\nf\ng\n');
    expect((await readAndEdit('a.txt', 'd', 'D')).text).toBe(
      'Edited a.txt: 1 replacement, the first at line 4.\n1\ta\n2\tb\n3\tc\n4\tD\n5\te\n6\tf\n7\tg',
    );
  });
});

describe('B104 links and modes', () => {
  test('an edit through a link changes the target, and the link stays a link', async () => {
    b.write('real.md', 'old');
    symlinkSync('real.md', join(b.root, 'link.md'));
    expect((await readAndEdit('link.md', 'old', 'new')).ok).toBe(true);
    expect(lstatSync(join(b.root, 'link.md')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(b.root, 'link.md'))).toBe('real.md');
    expect(b.read('real.md')).toBe('new');
  });

  test('a script stays executable, after Edit and after Write', async () => {
    const path = b.write('run.sh', '#!/bin/sh\necho old\n');
    chmodSync(path, 0o755);
    await readAndEdit('run.sh', 'old', 'new');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    await write('run.sh', '#!/bin/sh\n');
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  test('a loop of links is a clear error', async () => {
    symlinkSync('b', join(b.root, 'a'));
    symlinkSync('a', join(b.root, 'b'));
    for (const result of [await read('a'), await edit('a', 'x', 'y'), await write('a', 'x')]) {
      expect(result).toMatchObject({ ok: false, text: expect.stringContaining('loop') });
    }
  });

  test('other names of the same file keep seeing it', async () => {
    const { linkSync } = await import('node:fs');
    b.write('one', 'old');
    linkSync(join(b.root, 'one'), join(b.root, 'two'));
    await readAndEdit('one', 'old', 'new');
    expect(b.read('two')).toBe('new');
  });

  test('no temporary file is left behind', async () => {
    const { readdirSync } = await import('node:fs');
    await write('a.txt', 'one');
    await edit('a.txt', 'one', 'two');
    rmSync(join(b.root, 'a.txt'));
    expect(readdirSync(b.root)).toEqual([]);
  });
});
