import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = globSync('{bench,bin,clients,kernels,scripts,src,test,web,world}/**/*.{ts,tsx}', {
  exclude: (path) => path.includes('node_modules') || path.includes('dist'),
});

const known = new Map<string, string>();
/** Each file is read once. */
function readText(file: string): string {
  const text = known.get(file) ?? readFileSync(file, 'utf8');
  known.set(file, text);
  return text;
}

test('there are sources to look at', () => {
  assert.ok(sources.length > 1_000);
});

test('no object literal is spread into another: the compiler does not check its keys', () => {
  const spread = /\.\.\.\{/;
  const found = sources.filter((file) => spread.test(readText(file)));
  assert.deepEqual(found, []);
});

test('no error of types is hidden, and no blank is a special one: a linter would look at every token for these', () => {
  const hidden = /@ts-(ignore|nocheck)\b/;
  const blank = /[^\S \t\r\n]|[\u0085\u180e\u200b]/;
  assert.match('// @ts-ignore', hidden);
  assert.match('a\u00a0b', blank);
  const found = sources
    .filter((file) => !file.startsWith('kernels/') && !file.endsWith('source-style.test.ts'))
    .filter((file) => hidden.test(readText(file)) || blank.test(readText(file)));
  assert.deepEqual(found, []);
});

test('imports name a file: TypeScript asks for that in nodenext alone, and a linter would read every file to judge one', () => {
  const nameless =
    /^(?:import|export) (?:[^;']* from )?'\.{1,2}\/(?![^']*\.(?:ts|tsx|js|json|css|wasm)')[^']*'/m;
  assert.match("import { a } from './a';", nameless);
  assert.doesNotMatch("import { a } from './a.ts';", nameless);
  const found = sources
    .filter((file) => !file.startsWith('kernels/'))
    .filter((file) => nameless.test(readText(file)));
  assert.deepEqual(found, []);
});

test('no test has a time limit of its own, which a slow machine misses: the run ends what hangs', () => {
  const limit = /\btimeout: \d/;
  const tests = sources.filter((file) => file.startsWith('test/') || file.endsWith('.test.ts'));
  assert.ok(tests.length > 500);
  const found = tests.filter((file) => limit.test(readText(file)));
  assert.deepEqual(found, []);
});

/** Decisions are dated and not edited later. */
const texts = globSync(
  ['{bench,bin,clients,docs,kernels,scripts,src,test,web,world}/**/*.{ts,tsx,py,md}', '*.md'],
  {
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|docs\/decisions)(?:\/|$)/.test(path),
  },
);

test('texts cite only what is in the repository: docs/use/interface.md and its neighbours, by heading', () => {
  const absent = [
    /\binterface,? (?:section )?\d\.\d/i,
    /\bhardening:? [A-Z]\d/,
    /\bscience(?:\.md| notes)/i,
    /\bcompatibility(?:\.md| notes)/i,
    /\b(?:style|design)\.md\b/,
    /\(decisions, [A-Z]/,
    /\btest\(['"`]\d\.\d+ /,
  ];
  const found = texts
    .filter((file) => !file.endsWith('source-style.test.ts'))
    .flatMap((file) =>
      readText(file)
        .split('\n')
        .flatMap((line, i) => (absent.some((words) => words.test(line)) ? [`${file}:${i + 1}`] : [])),
    );
  assert.deepEqual(found, []);
});

test('every page of docs/ that a text names is there', () => {
  const missing = texts
    .flatMap((file) =>
      [...readText(file).matchAll(/\bdocs\/[a-z0-9/-]+\.md\b/g)].map(([name]) => ({
        file,
        name,
      })),
    )
    .filter(({ name }) => !existsSync(name));
  assert.deepEqual(missing, []);
});

test('commands in documents and messages run on the Node of the checkout: npm run …, not node …', () => {
  // Decisions are not edited later, and the lists of commands are the scripts of package.json.
  const documents = globSync('{*.md,docs/{use,operate,develop}/*.md}');
  const command = /(?<!npm run )\bnode (-\S+ )*(scripts|test|bench|bin|src|web|world)\//;
  const found = [...documents, ...sources].filter((file) => command.test(readText(file)));
  assert.ok(documents.length > 5);
  assert.deepEqual(found, []);
});
