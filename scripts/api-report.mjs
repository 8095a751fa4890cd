#!/usr/bin/env node
// Writes docs/reference/api.md: every exported declaration of the entry points, taken from the emitted .d.ts files.
// `--check` changes nothing and fails when the file on disk is not what would be written. Run after a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const report = join(root, 'docs/reference/api.md');
const ENTRIES = [
  ['waymark', 'dist/index.d.ts'],
  ['waymark/testing', 'dist/testing/index.d.ts'],
];

const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(function|class|interface|type|const|let|enum) ([A-Za-z_$][\w$]*)/;

/** Top-level statements of a declaration file, each with the comment before it. tsc puts them at the left edge. */
function statements(text) {
  const found = [];
  let current = [];
  let depth = 0;
  let inComment = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('//#') || (depth === 0 && !inComment && line.trim() === '')) continue;
    current.push(line);
    if (line.trimStart().startsWith('/*')) inComment = true;
    if (inComment) {
      if (line.includes('*/')) inComment = false;
      continue;
    }
    depth += count(line, /[{([]/g) - count(line, /[})\]]/g);
    if (depth === 0 && /[;}]\s*$/.test(line)) {
      found.push(current.join('\n'));
      current = [];
    }
  }
  return found;
}

/** Brackets outside texts and comments. */
function count(line, pattern) {
  return (line.replace(/'[^']*'|"[^"]*"|`[^`]*`|\/\/.*$|\/\*.*?\*\//g, '').match(pattern) ?? []).length;
}

function withoutComment(statement) {
  return statement.replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
}

const modules = new Map();

/** What a module declares, and where the names that it passes on come from. */
function moduleOf(file) {
  const known = modules.get(file);
  if (known) return known;
  const read = { declared: new Map(), passedOn: new Map(), all: [] };
  modules.set(file, read);
  for (const statement of statements(readFileSync(file, 'utf8'))) {
    const code = withoutComment(statement);
    const declared = DECLARATION.exec(code);
    if (declared) {
      const [, kind, name] = declared;
      const texts = read.declared.get(name)?.texts ?? [];
      read.declared.set(name, { kind, texts: [...texts, statement] });
      continue;
    }
    const star = /^export \* from '([^']+)'/.exec(code);
    if (star) read.all.push(fileOf(file, star[1]));
    const list = /^(?:import|export)(?: type)? \{([\s\S]*?)\}(?: from '([^']+)')?/.exec(code);
    for (const item of list?.[1].split(',') ?? []) {
      const [from, as = from] = item
        .trim()
        .replace(/^type /, '')
        .split(/\s+as\s+/);
      if (from) read.passedOn.set(as, { name: from, file: list[2] ? fileOf(file, list[2]) : undefined });
    }
  }
  return read;
}

function fileOf(from, name) {
  return name.startsWith('.') ? resolve(dirname(from), name.replace(/\.js$/, '.d.ts')) : name;
}

/** The declaration behind an exported name, followed through the files that pass it on. */
function lookUp(file, name) {
  if (!file.startsWith('/')) return { kind: 'from', texts: [`export { ${name} } from '${file}';`] };
  const module = moduleOf(file);
  const own = module.declared.get(name);
  if (own) return own;
  const passed = module.passedOn.get(name);
  if (passed?.file) return lookUp(passed.file, passed.name);
  for (const other of module.all) {
    const found = lookUp(other, name);
    if (found) return found;
  }
  return undefined;
}

function exportedNames(file) {
  const module = moduleOf(file);
  const own = [...module.declared].filter(([, { texts }]) =>
    texts.some((text) => /^export /m.test(withoutComment(text))),
  );
  const names = [
    ...own.map(([name]) => name),
    ...module.passedOn.keys(),
    ...module.all.flatMap(exportedNames),
  ];
  return [...new Set(names)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

function section([entry, path]) {
  const file = join(root, path);
  const parts = exportedNames(file).map((name) => {
    const found = lookUp(file, name);
    if (!found)
      throw new Error(`${relative(root, file)} exports ${name}, and no declaration of it was found`);
    return `### ${name}\n\n\`\`\`ts\n${found.texts.join('\n')}\n\`\`\`\n`;
  });
  return `## ${entry}\n\n${parts.join('\n')}`;
}

const text = [
  '# Public API',
  '',
  'Every exported declaration, by entry point. Generated from the build by `npm run api`; do not edit by hand.',
  '',
  ENTRIES.map(section).join('\n'),
].join('\n');

if (process.argv.includes('--check')) {
  let onDisk = '';
  try {
    onDisk = readFileSync(report, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (onDisk !== text) {
    process.stderr.write(
      'docs/reference/api.md is stale: run `npm run api`, read the difference, commit it\n',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(report, text);
}
