import { describe, expect, test } from 'vitest';
import { readTree, type SourceFile, sourceFile } from './support/source-tree.js';

const tree = readTree(new URL('../src', import.meta.url).pathname);

/** Where a file stands; a file's imports go to a lower number, or stay in its own folder. */
const LAYERS: ReadonlyArray<[number, RegExp]> = [
  [8, /^(cli|board)\//],
  [7, /^(index\.ts|testing\/|demo\/)/],
  [6, /^query\.ts$/],
  [5, /^query\//],
  [4, /^(registry|loop)\.ts$/],
  [3, /^(tools|mcp|agents|dispatch)\//],
  [2, /^tool\.ts$/],
  [0, /^(errors|environment)\.ts$|^(protocol|schema)\//],
];
const DOMAIN = 1;

function layer(path: string): number {
  return LAYERS.find(([, pattern]) => pattern.test(path))?.[0] ?? DOMAIN;
}

function folder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path;
}

function inTree(target: string): boolean {
  return target.endsWith('.ts');
}

type Rule = (files: readonly SourceFile[]) => string[];

/** Types may look up to the contracts that are types only; what runs may not. */
const importsGoDown: Rule = (files) =>
  files.flatMap((file) =>
    file.imports
      .filter(({ target, typeOnly }) => {
        if (!inTree(target) || folder(target) === folder(file.path)) return false;
        if (typeOnly && (target === 'tool.ts' || file.path.startsWith('protocol/'))) return false;
        const from = layer(file.path);
        const to = layer(target);
        return to > from || (to === from && from !== DOMAIN && from !== 0 && from !== 7);
      })
      .map(({ target }) => `${file.path} imports ${target}, which stands above it or beside it`),
  );

const loopAndRegistryApart: Rule = (files) =>
  files.flatMap((file) =>
    file.imports
      .filter(
        ({ target }) =>
          [file.path, target].every((path) => /^(loop|registry)\.ts$/.test(path)) && target !== file.path,
      )
      .map(({ target }) => `${file.path} imports ${target}`),
  );

const toolsApart: Rule = (files) =>
  files.flatMap((file) =>
    file.imports
      .filter(({ target }) => file.path.startsWith('tools/') && target.startsWith('tools/'))
      .map(({ target }) => `${file.path} imports the tool file ${target}`),
  );

/** Only these files may know the package: it can then be changed or left in one place. */
const OWNERS: Readonly<Record<string, RegExp>> = {
  '@anthropic-ai/sdk': /^model\//,
  'proper-lockfile': /^tasks\/list-lock\.ts$/,
  commander: /^cli\//,
};

const packagesHaveOwners: Rule = (files) =>
  files.flatMap((file) => {
    // `import type` leaves nothing at run time, and neither does `typeof import('…')`. Any other mention may load it.
    const lasting = file.text
      .replace(/\btypeof\s+import\(\s*'[^']*'\s*\)/g, '')
      .replace(/^(import|export)\s+type\s[^;]*;/gm, '')
      .replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    return Object.entries(OWNERS)
      .filter(
        ([name, owner]) => !owner.test(file.path) && new RegExp(`['"]${name}(/[^'"]*)?['"]`).test(lasting),
      )
      .map(([name]) => `${file.path} loads ${name}`);
  });

/** The types of the client come through one file, so that the rest speaks one language. */
const clientTypesThroughProtocol: Rule = (files) =>
  files.flatMap((file) =>
    file.imports
      .filter(({ target }) => target.startsWith('@anthropic-ai/sdk'))
      .filter(() => !/^(model\/|protocol\/api\.ts$)/.test(file.path))
      .map(({ target }) => `${file.path} takes types from ${target} and not from protocol/api.ts`),
  );

function forbid(pattern: RegExp, allowed: RegExp, says: string): Rule {
  return (files) =>
    files
      .filter((file) => !allowed.test(file.path))
      .flatMap((file) =>
        file.code
          .split('\n')
          .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1} ${says}`] : [])),
      );
}

const onlyTheCommandWrites = forbid(
  /\bprocess\s*\.\s*(exit|stdout)\b|\bprocess\s*\.\s*exitCode\b|\bconsole\s*\./,
  /^cli\//,
  'writes to stdout or ends the process',
);
// Warnings of a program that gave no `options.stderr` go to its stderr: that is what the option's default says.
const onlyTheCommandWarns = forbid(/\bprocess\s*\.\s*stderr\b/, /^(cli\/|query\.ts$)/, 'writes to stderr');
const oneReaderOfTheEnvironment = forbid(/\bprocess\s*\.\s*env\b/, /^environment\.ts$/, 'reads process.env');
const oneClock = forbid(
  /\bDate\s*\.\s*now\s*\(|\bnew Date\s*\(\s*\)/,
  /^environment\.ts$/,
  'reads the clock',
);
const oneSourceOfIds = forbid(/\brandomUUID\b/, /^environment\.ts$/, 'makes an id');

/** A statement that is neither a declaration nor an import stands at the left edge, as the formatter puts it. */
const importsHaveNoEffect: Rule = (files) =>
  files
    .filter((file) => file.path !== 'cli/main.ts')
    .flatMap((file) =>
      file.code.split('\n').flatMap((line, index) => {
        const isStatement = /^[A-Za-z_$]/.test(line);
        const declares =
          /^(import|export|const|let|function|async function|class|abstract class|interface|type|declare)\b/.test(
            line,
          );
        const waits = /^(?:export )?(?:const|let) [^=]*=\s*await\b/.test(line);
        return (isStatement && !declares) || waits
          ? [`${file.path}:${index + 1} runs at import: ${line}`]
          : [];
      }),
    );

const noCycles: Rule = (files) => {
  const edges = new Map(
    files.map((file) => [file.path, file.imports.map(({ target }) => target).filter(inTree)]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) found.push([...trail.slice(seen), path].join(' → '));
    if (seen >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
};

/** Folders of the domain form no ring of what runs: each can be read and tested before the ones that stand on it. */
const noFolderCycles: Rule = (files) => {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const own = folder(file.path);
    const others = folders.get(own) ?? new Set<string>();
    for (const { target, typeOnly } of file.imports) {
      if (!typeOnly && inTree(target) && folder(target) !== own) others.add(folder(target));
    }
    folders.set(own, others);
  }
  return noCycles(
    [...folders].map(([path, targets]) => ({
      path: `${path}.ts`,
      text: '',
      code: '',
      imports: [...targets].map((target) => ({ target: `${target}.ts`, typeOnly: false })),
    })),
  );
};

/** Files that were read and found to be one thing although they are longer than 250 lines. */
const LONG_FILES: readonly string[] = ['tasks/file-store.ts'];

const linesAreCapped: Rule = (files) =>
  files.flatMap((file) => {
    const lines = file.text.trimEnd().split('\n').length;
    const cap = file.path === 'loop.ts' ? 200 : LONG_FILES.includes(file.path) ? 400 : 250;
    return lines > cap ? [`${file.path} has ${lines} lines, at most ${cap}`] : [];
  });

const wordsSayWhatAFileIs: Rule = (files) =>
  files.flatMap((file) =>
    /(^|[/-])(utils?|helpers?|common|misc)([./-]|$)/.test(file.path)
      ? [`${file.path} says nothing by its name`]
      : [],
  );

/** Each rule with trees that break it, each in its own way: a rule that cannot fail holds nothing. */
const RULES: ReadonlyArray<[string, Rule, ReadonlyArray<Record<string, string>>]> = [
  [
    'imports only go down',
    importsGoDown,
    [
      { 'tasks/a.ts': "import { x } from '../tools/b.js';" },
      { 'tools/a.ts': "export { x } from '../query.js';" },
      { 'todo/a.ts': "const m = await import('../cli/main.js');" },
      { 'todo/a.ts': "import type { X } from '../registry.js';" },
      { 'todo/a.ts': "import { defineTool } from '../tool.js';" },
    ],
  ],
  [
    'neither loop nor registry imports the other',
    loopAndRegistryApart,
    [
      { 'loop.ts': "import type { X } from './registry.js';" },
      { 'registry.ts': "import { runLoop } from './loop.js';" },
    ],
  ],
  ['no tool imports another', toolsApart, [{ 'tools/a.ts': "import { B } from './b.js';" }]],
  [
    'a package has one owner',
    packagesHaveOwners,
    [
      { 'loop.ts': "import Anthropic from '@anthropic-ai/sdk';" },
      { 'tasks/file-store.ts': "const lock = createRequire(import.meta.url)('proper-lockfile');" },
      { 'query.ts': "const { Command } = await import('commander');" },
    ],
  ],
  [
    'types of the client come through protocol/api.ts',
    clientTypesThroughProtocol,
    [{ 'loop.ts': "import type { Message } from '@anthropic-ai/sdk/resources/messages';" }],
  ],
  [
    'only the command writes to stdout or ends the process',
    onlyTheCommandWrites,
    [
      { 'loop.ts': 'process.exit(1);' },
      { 'loop.ts': "process.stdout.write('x');" },
      { 'loop.ts': "console.log('x');" },
    ],
  ],
  ['only the command writes to stderr', onlyTheCommandWarns, [{ 'loop.ts': "process.stderr.write('x');" }]],
  [
    'one reader of the environment',
    oneReaderOfTheEnvironment,
    [
      { 'gate.ts': 'const e = process.env.HOME;' },
      { 'gate.ts': 'const e = `§{process.env.HOME}`;'.replace('§', '$') },
    ],
  ],
  ['one clock', oneClock, [{ 'loop.ts': 'const t = Date.now();' }, { 'loop.ts': 'const t = new Date();' }]],
  ['one source of ids', oneSourceOfIds, [{ 'loop.ts': 'const id = randomUUID();' }]],
  [
    'importing has no effect and waits for nothing',
    importsHaveNoEffect,
    [
      { 'index.ts': 'setTimeout(() => {}, 1);' },
      { 'index.ts': "process.on('exit', () => {});" },
      { 'index.ts': 'export const a = await load();' },
    ],
  ],
  [
    'no import cycles, types counted',
    noCycles,
    [{ 'a.ts': "import type { B } from './b.js';", 'b.ts': "import { A } from './a.js';" }],
  ],
  [
    'no cycles between folders',
    noFolderCycles,
    [
      {
        'todo/a.ts': "import { b } from '../tasks/b.js';",
        'tasks/c.ts': "import { d } from '../todo/d.js';",
      },
    ],
  ],
  ['files stay short', linesAreCapped, [{ 'a.ts': 'x\n'.repeat(251) }, { 'loop.ts': 'x\n'.repeat(201) }]],
  [
    'names say what a file is about',
    wordsSayWhatAFileIs,
    [{ 'todo/todo-utils.ts': '' }, { 'helpers/a.ts': '' }, { 'common.ts': '' }],
  ],
];

describe.each(RULES)('%s', (_name, rule, wrong) => {
  test('in the sources', () => {
    expect(rule(tree)).toEqual([]);
  });

  test.each(wrong)('and the rule sees %o', (files) => {
    expect(rule(Object.entries(files).map(([path, text]) => sourceFile(path, text)))).not.toEqual([]);
  });
});

test('the rules read the whole tree', () => {
  expect(tree.length).toBeGreaterThan(50);
});
