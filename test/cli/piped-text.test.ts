import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { joinPrompt, type PipedInput, readPipedText } from '../../src/cli/piped-text.js';

const LIMITS = { noticeMs: 20, idleMs: 200, maxBytes: 1024 * 1024 };

function read(
  fields: Partial<PipedInput>,
  feed: (stream: PassThrough) => void,
  given: { hasPrompt?: boolean; signal?: AbortSignal } = {},
) {
  const stream = new PassThrough();
  const notices: string[] = [];
  const text = readPipedText(
    { stream, isTerminal: false, isSocket: false, ...fields },
    {
      hasPrompt: given.hasPrompt ?? false,
      signal: given.signal ?? new AbortController().signal,
      notice: (line) => notices.push(line),
    },
    LIMITS,
  );
  feed(stream);
  return { text, notices, stream };
}

test('a character that lies across two chunks stays whole', async () => {
  const bytes = Buffer.from('grün 🙂');
  const { text } = read({}, (stream) => {
    stream.write(bytes.subarray(0, 3));
    stream.end(bytes.subarray(3));
  });
  expect(await text).toBe('grün 🙂');
});

test('a terminal is never read', async () => {
  const { text, stream } = read({ isTerminal: true }, () => {});
  expect(await text).toBe('');
  expect(stream.listenerCount('data')).toBe(0);
});

test('text beyond the limit is refused by size, not cut', async () => {
  const { text } = read({}, (stream) => stream.end(Buffer.alloc(LIMITS.maxBytes + 1, 'x')));
  await expect(text).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('1 MB'),
  });
});

test('text of exactly the limit is taken', async () => {
  const { text } = read({}, (stream) => stream.end(Buffer.alloc(LIMITS.maxBytes, 'x')));
  expect((await text).length).toBe(LIMITS.maxBytes);
});

test('a silent socket beside a prompt counts as empty, and that is said', async () => {
  const { text, notices } = read({ isSocket: true }, () => {}, { hasPrompt: true });
  expect(await text).toBe('');
  expect(notices).toEqual([expect.stringContaining('going on with the prompt alone')]);
});

test('a slow pipe beside a prompt is waited for, so that its text is not lost', async () => {
  const { text, notices } = read(
    {},
    (stream) => {
      setTimeout(() => stream.end('late'), 60);
    },
    { hasPrompt: true },
  );
  expect(await text).toBe('late');
  expect(notices).toEqual([expect.stringContaining('waiting for piped text')]);
});

test('a pipe that stays silent for ever ends in an error that says what to do', async () => {
  const { text, stream } = read({}, () => {});
  await expect(text).rejects.toMatchObject({ message: expect.stringContaining('</dev/null') });
  expect(stream.listenerCount('data')).toBe(0);
});

test('an interrupt ends the wait', async () => {
  const controller = new AbortController();
  const { text } = read({}, () => controller.abort('SIGINT'), { signal: controller.signal });
  await expect(text).rejects.toBe('SIGINT');
});

test('a stream that breaks is told as unreadable', async () => {
  const { text } = read({}, (stream) => stream.destroy(new Error('EISDIR: is a directory')));
  await expect(text).rejects.toMatchObject({
    message: expect.stringContaining('stdin cannot be read: EISDIR'),
  });
});

test.each<[string | undefined, string, string | undefined]>([
  ['fix it', '', 'fix it'],
  ['fix it', 'log text\n', 'fix it\n\nlog text\n'],
  [undefined, 'all of it', 'all of it'],
  [undefined, ' \n\t', undefined],
  ['  ', '', undefined],
])('prompt %j and piped text %j are joined, the prompt first', (prompt, piped, joined) => {
  expect(joinPrompt(prompt, piped)).toBe(joined);
});
