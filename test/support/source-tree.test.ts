import { describe, expect, test } from 'vitest';
import { sourceFile } from './source-tree.js';

describe('the reader of sources', () => {
  test.each<[string, string, Array<[string, boolean]>]>([
    ['a value', "import { a } from './a.js';", [['x/a.ts', false]]],
    ['a type', "import type { A } from '../a.js';", [['a.ts', true]]],
    ['several lines', "import {\n  a,\n  type B,\n} from './a.js';", [['x/a.ts', false]]],
    [
      'an export',
      "export * from './a.js';\nexport type { B } from './b.js';",
      [
        ['x/a.ts', false],
        ['x/b.ts', true],
      ],
    ],
    ['for effect', "import './a.js';", [['x/a.ts', false]]],
    ['lazily', "const a = await import('./a.js');", [['x/a.ts', false]]],
    ['as a type only', "let a: typeof import('./a.js');", [['x/a.ts', true]]],
    ['a package', "import z from 'zod';", [['zod', false]]],
    ['no import: a comment', "// import { a } from './a.js';\n/* import './b.js'; */", []],
    ['no import: a text', "const a = `\nimport './a.js';\n`;", []],
    [
      'after a regular expression with a quote',
      "const a = /['\"]/;\nconst m = import('./a.js');",
      [['x/a.ts', false]],
    ],
    [
      'an export of its own is no import',
      "export const a = 'x';\nexport function f() { return 'from'; }",
      [],
    ],
  ])('finds %s', (_name, text, imports) => {
    expect(sourceFile('x/y.ts', text).imports.map(({ target, typeOnly }) => [target, typeOnly])).toEqual(
      imports,
    );
  });

  test('code inside a template is code, the text around it is none', () => {
    const text = 'const a = `gone §{kept({ b: `gone §{kept}` })} gone`; kept();'.replaceAll('§', '$');
    const { code } = sourceFile('a.ts', text);
    expect(code.match(/kept/g)).toHaveLength(3);
    expect(code).not.toContain('gone');
    expect(code).toHaveLength(text.length);
  });

  test('what stands in a comment or a text is no code', () => {
    const { code } = sourceFile('a.ts', "// gone\nconst a = 'gone'; /* gone\ngone */ kept();\n");
    expect(code).not.toContain('gone');
    expect(code).toContain('kept();');
    expect(code.split('\n')).toHaveLength(4);
  });
});
