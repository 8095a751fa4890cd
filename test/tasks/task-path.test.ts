import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskIdOf, taskPath } from '../../src/tasks/task-path.js';

test.each(['1', 't1', 'a_B-9'])('the file of task %s lies in the folder of its list', (id) => {
  expect(taskPath('/lists/plan', id)).toBe(join('/lists/plan', `${id}.json`));
});

test.each(['../../victim', '..', '1/../2', '/abs', 'C:\\x', '%2e%2e', 'a\u0000', '', 'x'.repeat(101), 'aux'])(
  'B21 no path is made of the id %j',
  (id) => {
    expect(() => taskPath('/lists/plan', id)).toThrow(expect.objectContaining({ code: 'invalid_id' }));
  },
);

test.each([
  ['12.json', '12'],
  ['t1.json', 't1'],
  ['.lock', undefined],
  ['.12.json.0123.tmp', undefined],
  ['12.json.lock', undefined],
])('the file name %s stands for %s', (name, id) => {
  expect(taskIdOf(name)).toBe(id);
});
