import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changedFiles,
  oldNamesLeft,
  runProjectTests,
  snapshot,
  usersLeft,
  writeDemoProject,
} from '../../src/demo/demo-project.js';
import { JOB_STEPS, RENAMES, renameRest } from '../../src/demo/job.js';
import { readTestCounts, testCountsText } from '../../src/demo/test-counts.js';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-demo-test-'));
  await writeDemoProject(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Renames in every file, as text. */
async function renameEverywhere(names: typeof RENAMES): Promise<void> {
  for (const [path, text] of await snapshot(folder)) {
    const changed = names.reduce((now, { from, to }) => now.replaceAll(from, to), text);
    writeFileSync(join(folder, path), changed);
  }
}

const tests = () => runProjectTests(folder, { env: {} });

describe('the project of the demo', () => {
  test('has a few dozen functions in several files, and its tests pass', async () => {
    const sources = [...(await snapshot(folder))].filter(([path]) => path.startsWith('src/'));
    const functions = sources.flatMap(([, text]) => text.match(/\bfunction \w+/g) ?? []);
    expect(sources.length).toBeGreaterThanOrEqual(8);
    expect(functions.length).toBeGreaterThanOrEqual(36);
    expect(await tests()).toEqual({ total: 29, passed: 29, failed: 0 });
  });

  test('two tests really fail when fetchUser is renamed wherever it is written', async () => {
    await renameEverywhere(RENAMES.filter(({ from }) => from === 'fetchUser'));
    expect(await tests()).toEqual({ total: 29, passed: 27, failed: 2 });
  });

  test('every other rename keeps the tests passing', async () => {
    await renameEverywhere(RENAMES.filter(({ from }) => from !== 'fetchUser'));
    expect(await tests()).toMatchObject({ failed: 0 });
  });

  test('each name of the job stands in several files and in no other name of the job', async () => {
    const texts = [...(await snapshot(folder)).values()];
    for (const { from } of RENAMES) {
      expect(texts.filter((text) => text.includes(from)).length, from).toBeGreaterThan(1);
      const longer = texts.flatMap((text) => text.match(new RegExp(`\\w*${from}\\w*`, 'g')) ?? []);
      expect(new Set(longer), from).toEqual(new Set([from]));
    }
  });

  test('a run of the tests that gives no counts is an error', async () => {
    rmSync(join(folder, 'package.json'));
    writeFileSync(join(folder, 'package.json'), 'no JSON');
    await expect(runProjectTests(join(folder, 'missing'), { env: {} })).rejects.toThrow(/gave no result/);
  });

  test('an abort ends the run of the tests', async () => {
    await expect(runProjectTests(folder, { env: {}, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('what the report counts', () => {
  test('files that changed, came and went', async () => {
    const before = await snapshot(folder);
    writeFileSync(join(folder, 'src/new.js'), '');
    rmSync(join(folder, 'src/names.js'));
    writeFileSync(join(folder, 'README.md'), `${readFileSync(join(folder, 'README.md'), 'utf8')}!`);
    expect(changedFiles(before, await snapshot(folder)).sort()).toEqual([
      'README.md',
      'src/names.js',
      'src/new.js',
    ]);
  });

  test('old names and users', () => {
    const files = new Map([
      ['a.js', 'fetchUser(createUser()); fetchUser;'],
      ['b.js', 'const users = loadCustomer();'],
    ]);
    expect(oldNamesLeft(files)).toBe(3);
    expect(usersLeft(files)).toBe(4);
  });

  test.each([
    ['ℹ tests 29\nℹ suites 0\nℹ pass 27\nℹ fail 2\n', { total: 29, passed: 27, failed: 2 }],
    ['# tests 3\n# pass 3\n# fail 0\n', { total: 3, passed: 3, failed: 0 }],
    ['Exit code 127', undefined],
  ])('test counts of %j', (output, counts) => {
    expect(readTestCounts(output)).toEqual(counts);
  });

  test('counts in words', () => {
    expect(testCountsText({ total: 29, passed: 29, failed: 0 })).toBe('29 pass');
    expect(testCountsText({ total: 29, passed: 27, failed: 2 })).toBe('27 of 29 pass, 2 fail');
  });
});

test('the plan has ten steps, and the last one verifies', () => {
  expect(JOB_STEPS).toHaveLength(10);
  expect(JOB_STEPS[2]?.rename?.from).toBe('fetchUser');
  expect(JOB_STEPS.at(-1)?.text).toMatch(/verif/i);
});

test('what the workers do leaves no user and keeps the tests passing', async () => {
  await renameEverywhere(RENAMES.filter(({ from }) => from !== 'fetchUser'));
  let changes = 0;
  for (const [path, text] of await snapshot(folder)) {
    const renamed = renameRest(text);
    changes += renamed.changes;
    writeFileSync(join(folder, path), renamed.text);
  }
  const after = await snapshot(folder);
  expect(usersLeft(after)).toBe(0);
  expect(changes).toBeGreaterThan(100);
  expect(await tests()).toMatchObject({ failed: 0 });
});
