import { describe, expect, test } from 'vitest';
import { defaultPrompt, systemBlocks } from '../../src/context/system-prompt.js';

const facts = {
  cwd: '/work',
  platform: 'linux',
  day: '2026-01-31',
  planning: 'todo' as const,
  offered: ['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'],
};
const names = (text: string) => [...new Set(text.match(/\b(?:TodoWrite|Task[A-Z][a-z]+)\b/g) ?? [])];

describe('the planning paragraph', () => {
  test.each([
    ['todo', ['TodoWrite']],
    ['tasks', ['TaskCreate', 'TaskUpdate', 'TaskList']],
    ['off', []],
  ] as const)('in mode %s names the tools of that mode only', (planning, tools) => {
    expect(names(defaultPrompt({ ...facts, planning }))).toEqual(tools);
  });
});

test.each([
  ['todo', ['Todo', 'Read']],
  ['tasks', ['TaskList', 'TaskUpdate']],
] as const)(
  'in mode %s with %j it is absent: it would name tools that are not there',
  (planning, offered) => {
    expect(names(defaultPrompt({ ...facts, planning, offered }))).toEqual([]);
  },
);

test('the facts of the machine are there, the date as a day only', () => {
  expect(defaultPrompt(facts)).toContain('Working folder: /work\nPlatform: linux\nDate: 2026-01-31');
});

describe('options.systemPrompt', () => {
  test.each<[string, Parameters<typeof systemBlocks>[0], string[]]>([
    ['absent: the default', undefined, [defaultPrompt(facts)]],
    ['the preset: the default', { type: 'preset', preset: 'claude_code' }, [defaultPrompt(facts)]],
    [
      'the preset with an addition',
      { type: 'preset', preset: 'claude_code', append: ' Be kind. ' },
      [`${defaultPrompt(facts)}\n\nBe kind.`],
    ],
    ['a text replaces it', 'You are a cook.', ['You are a cook.']],
    ['a list is sent as its blocks', ['One.', 'Two.'], ['One.', 'Two.']],
    ['B66 blank texts are not sent', ['One.', ' '], ['One.']],
    ['B66 a blank prompt is no prompt', '', []],
  ])('%s', (_name, option, texts) => {
    expect(systemBlocks(option, facts).map((block) => block.text)).toEqual(texts);
  });
});
