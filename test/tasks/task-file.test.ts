import { describe, expect, test } from 'vitest';
import { parseHighWaterMark } from '../../src/tasks/high-water-mark.js';
import { parseTaskFile, prepareTask, serializeTask } from '../../src/tasks/task-file.js';
import { compareTaskIds, highestNumber, isSafeName } from '../../src/tasks/task-id.js';

const whole = {
  id: '1',
  subject: 's',
  description: 'd',
  status: 'pending',
  blocks: [],
  blockedBy: [],
} as const;
const task = () => ({ ...whole, blocks: [], blockedBy: [] });

describe('the text of a task file', () => {
  test('is the same whatever the order of the keys in memory, and reads back as it was', () => {
    const { id, subject, ...rest } = task();
    const shuffled = { extra: 1, ...rest, metadata: { b: 1, a: 2 }, owner: 'me', subject, id };
    const text = serializeTask(shuffled);
    expect(Object.keys(JSON.parse(text))).toEqual([
      'id',
      'subject',
      'description',
      'owner',
      'status',
      'blocks',
      'blockedBy',
      'metadata',
      'extra',
    ]);
    expect(text.endsWith('}')).toBe(true);
    expect(parseTaskFile(text, '1')).toEqual({ ok: true, task: shuffled });
  });

  test.each([
    [
      'keys that are missing',
      { description: undefined, blocks: undefined, blockedBy: undefined },
      { description: '', blocks: [], blockedBy: [] },
    ],
    ['null for optional keys', { owner: null, activeForm: null, metadata: null }, {}],
    ['a number as id', { id: 1 }, {}],
  ])('of another program with %s is read', (_, given, expected) => {
    const parsed = parseTaskFile(JSON.stringify({ ...task(), ...given }), '1');
    expect(parsed).toEqual({ ok: true, task: { ...task(), ...expected } });
  });

  test('with a byte order mark is read', () => {
    expect(parseTaskFile(`\uFEFF${JSON.stringify(task())}`, '1')).toMatchObject({ ok: true });
  });

  test.each([
    ['', true, 'empty'],
    ['{"id": "1", "subj', true, ''],
    ['[1]', false, 'no JSON object'],
    ['null', false, 'no JSON object'],
    [JSON.stringify({ ...whole, status: 'done' }), false, 'status'],
    [JSON.stringify({ ...whole, subject: 7 }), false, 'subject'],
    [JSON.stringify({ ...whole, id: '2' }), false, 'task "2"'],
  ])('%j is refused with the reason, and told from one that is being written', (text, partial, says) => {
    const parsed = parseTaskFile(text, '1');
    expect(parsed).toMatchObject({ ok: false, partial });
    expect(parsed.ok ? '' : parsed.reason).toContain(says);
  });

  test('what the format cannot hold is refused before it is written', () => {
    const bad = { ...task(), metadata: { n: 1n } };
    expect(() => prepareTask(bad)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('ids', () => {
  test.each([
    [
      ['10', '9', 't1', '2', 'a'],
      ['2', '9', '10', 'a', 't1'],
    ],
    [
      ['99999999999999999999', '3'],
      ['3', '99999999999999999999'],
    ],
  ])('%j are ordered by number, then by text', (ids, sorted) => {
    expect([...ids].sort(compareTaskIds)).toEqual(sorted);
  });

  test('only whole numbers that can be counted on from count for the next number', () => {
    expect(highestNumber(['t9', '3', '-7', '1e5', '99999999999999999999', '04'])).toBe(4);
    expect(highestNumber([])).toBe(0);
  });

  test.each([
    ['1', true],
    ['a_B-9', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['', false],
    ['.', false],
    ['a.b', false],
    ['a:b', false],
    ['nul', false],
    ['COM1', false],
    ['1\n', false],
  ])('B20 B21 whether %j is safe as a name on every system: %s', (name, safe) => {
    expect(isSafeName(name)).toBe(safe);
  });

  test.each([
    ['7', 7],
    [' 7\n', 7],
    ['07', 7],
    ['-7', 0],
    ['7.5', 0],
    ['x', 0],
    ['', 0],
    ['9'.repeat(30), 0],
  ])('a mark of %j counts as %i', (text, mark) => {
    expect(parseHighWaterMark(text)).toBe(mark);
  });
});
