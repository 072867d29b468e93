import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Digests } from '../../scripts/test-digests.ts';
import { parseReferences, readDigests } from '../../scripts/test-digests.ts';
import { isSlow, listTests } from '../../scripts/test-tiers.ts';

/** A checkout in small, and the tests whose digest a change has changed. */
function makeCheckout(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'swath-digests-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'));
  const read = (env: NodeJS.ProcessEnv = {}) => {
    const digests = readDigests(root, env);
    return new Map(tests.map((file) => [file, digests.of(file)]));
  };
  const findChanged = (change: () => void): readonly string[] => {
    const before = read();
    change();
    const after = read();
    return tests.filter((file) => before.get(file) !== after.get(file));
  };
  return {
    root,
    write,
    read,
    findChanged,
    afterChangeOf: (file: string) => findChanged(() => write(file, 'changed')),
  };
}

const SMALL = {
  'src/a.ts': "import { b } from './b.ts';\nimport type { C } from './c.ts';",
  'src/b.ts': "const script = new URL('./b-worker.ts', import.meta.url);",
  'src/b-worker.ts':
    "const kernel = new URL('../kernels/dist/all.wasm', import.meta.url);\nawait import('./late.ts');",
  'src/late.ts': '1',
  'src/c.ts': '1',
  'src/a.test.ts': "import './a.ts';",
  'src/golden.test.ts': "const folder = new URL('../test/golden/', import.meta.url);",
  'src/named.test.ts': "readFileSync(join(import.meta.dirname, '..', 'docs/use', 'search.md'));",
  'src/computed.test.ts': 'new Worker(new URL(`./testing/$' + '{name}.ts`, import.meta.url));',
  'src/testing/one.ts': "import './two.ts';",
  'src/testing/two.ts': '1',
  'src/alone.test.ts': '1',
  'src/starts.test.ts': "import { spawn } from 'node:child_process';",
  'kernels/dist/all.wasm': '1',
  'test/golden/deep/file.json': '1',
  'test/style.test.ts': "readFileSync('docs/use/search.md', 'utf8');",
  'docs/use/search.md': '1',
  'docs/use/pictures.md': '1',
  'package.json': '{}',
  'package-lock.json': '{}',
  'node_modules/.package-lock.json': '{}',
  'node_modules/some/index.js': '1',
  'scripts/test.ts': "import './order.ts';\nconst shared = new URL('../src/c.ts', import.meta.url);",
  'scripts/order.ts': '1',
} as const;
/** Those that may read whatever there is. */
const OPEN = ['src/starts.test.ts', 'test/style.test.ts'];

test('a change runs the tests that import it, start it as a thread, or read it', (t) => {
  const { afterChangeOf } = makeCheckout(t, SMALL);
  // The last of a chain first: a changed file names nothing any more.
  for (const file of ['src/late.ts', 'kernels/dist/all.wasm', 'src/b-worker.ts', 'src/b.ts', 'src/a.ts']) {
    assert.deepEqual(afterChangeOf(file), ['src/a.test.ts', ...OPEN], file);
  }
  assert.deepEqual(afterChangeOf('test/golden/deep/file.json'), ['src/golden.test.ts', ...OPEN]);
  assert.deepEqual(afterChangeOf('docs/use/search.md'), ['src/named.test.ts', ...OPEN]);
  assert.deepEqual(afterChangeOf('docs/use/pictures.md'), OPEN);
  assert.deepEqual(afterChangeOf('src/testing/two.ts'), ['src/computed.test.ts', ...OPEN]);
  assert.deepEqual(afterChangeOf('src/alone.test.ts'), ['src/alone.test.ts', ...OPEN]);
  assert.deepEqual(afterChangeOf('src/c.ts'), OPEN, 'types are erased, and the runner starts it for no test');
});

test('a change of the packages, of the runner or of the surroundings runs all tests', (t) => {
  const { afterChangeOf, read } = makeCheckout(t, SMALL);
  const all = Object.keys(SMALL).filter((file) => file.endsWith('.test.ts'));
  for (const file of [
    'package-lock.json',
    'node_modules/.package-lock.json',
    'package.json',
    'world/package.json',
    'scripts/order.ts',
    'scripts/test.ts',
    'scripts/prepare-process.ts',
  ]) {
    assert.deepEqual(afterChangeOf(file), all, file);
  }
  for (const env of [
    { TZ: 'Asia/Tokyo' },
    { NODE_OPTIONS: '--expose-gc' },
    { TEST_DATABASE_URL: 'postgres://x' },
  ]) {
    const [before, after] = [read(), read(env)];
    assert.deepEqual(
      all.filter((file) => before.get(file) === after.get(file)),
      [],
      JSON.stringify(env),
    );
  }
  assert.deepEqual(afterChangeOf('node_modules/some/index.js'), [], 'a package is known by its lock');
});

test('a file that appears, disappears or is renamed is a change', (t) => {
  const { root, write, findChanged, afterChangeOf } = makeCheckout(t, {
    ...SMALL,
    'src/later.test.ts': "existsSync(new URL('./made-later.txt', import.meta.url));",
  });
  assert.deepEqual(afterChangeOf('src/made-later.txt'), [...OPEN, 'src/later.test.ts']);
  assert.deepEqual(
    findChanged(() => write('test/golden/new.json', '1')),
    ['src/golden.test.ts', ...OPEN],
  );
  assert.deepEqual(
    findChanged(() => rmSync(join(root, 'test/golden/new.json'))),
    ['src/golden.test.ts', ...OPEN],
  );
});

test('the same bytes have the same digest; the stamp tells that they were written again', (t) => {
  const { root, write } = makeCheckout(t, SMALL);
  const before = readDigests(root, {});
  write('src/b.ts', 'something else');
  write('src/b.ts', SMALL['src/b.ts']);
  // A time of its own, however coarse the clock of the disk is.
  utimesSync(join(root, 'src/b.ts'), 1, 1);
  const after = readDigests(root, {});
  assert.equal(before.of('src/a.test.ts'), after.of('src/a.test.ts'));
  assert.notEqual(before.stampOf('src/a.test.ts'), after.stampOf('src/a.test.ts'));
  // Checkouts may share their packages by links.
  linkSync(join(root, 'package-lock.json'), join(root, 'node_modules/linked.json'));
  const linked = readDigests(root, {});
  assert.equal(before.stampOf('src/alone.test.ts'), linked.stampOf('src/alone.test.ts'));
});

test('a test that reads something outside of the checkout has no digest', (t) => {
  const { read } = makeCheckout(t, { 'src/far.test.ts': "new URL('../../far.txt', import.meta.url);" });
  assert.equal(read().get('src/far.test.ts'), null);
});

test('code whose files are not known may reach any of them', () => {
  const isOpen = (file: string, text: string): boolean => parseReferences(file, text).isOpen;
  for (const text of [
    "import { execFileSync } from 'node:child_process';",
    "const { spawn } = await import('node:child_process');",
    'await import(path);',
    'await import(`./x.ts`);',
    "new URL('../', import.meta.url);",
    'new URL(name, import.meta.url);',
    "join(import.meta.dirname, name, 'x');",
    'const { dirname } = import.meta;',
    "import.meta.resolve('./x.ts');",
    "import { demo } from 'swath-world';",
    'readFileSync(join(process.cwd(), name));',
    'createRequire(import.meta.url)("./x.cjs");',
  ]) {
    assert.ok(isOpen('src/x.ts', text), text);
  }
  for (const text of [
    "readFileSync('README.md');",
    "readFile('docs/use/search.md');",
    "globSync('*.md');",
    "readdirSync('.');",
    "const page = 'docs/use/search.md';",
    "resolve('web');",
    "import * as fs from 'node:fs';",
  ]) {
    assert.ok(isOpen('src/x.test.ts', text), text);
    assert.ok(isOpen('src/testing/x.ts', text), text);
  }
  for (const text of [
    "import { join } from 'node:path';",
    "const words = ['a'].join(',');",
    "readFileSync(join(folder, 'x'));",
    "readFileSync('/proc/self/stat');",
    "import.meta.resolve('leaflet/dist/leaflet.js');",
    '// As docs/use/search.md says, and `src/y.ts` does with node:child_process.',
  ]) {
    assert.ok(!isOpen('src/x.test.ts', text), text);
  }
});

test('a helper may say what it reads; what it reads is not followed', () => {
  const text =
    "import { spawn } from 'node:child_process';\nimport './b.ts';\n\n// Reads: web/ package.json\n";
  assert.deepEqual(parseReferences('test/a.ts', text), {
    imports: ['test/b.ts'],
    paths: [],
    reads: ['web/', 'package.json'],
    isOpen: false,
  });
  const other = `${text.split('//')[0]}// Reads: nothing more\nnew URL('./worker.ts', import.meta.url);\n`;
  const { paths, reads, isOpen } = parseReferences('test/a.ts', other);
  assert.deepEqual([paths, reads, isOpen], [['test/worker.ts'], [], false]);
});

test('imports of types are told from others', () => {
  const importsOf = (text: string) => parseReferences('src/x.ts', text).imports;
  assert.deepEqual(importsOf("import type { A } from './a.ts';\nexport type * from './b.ts';"), []);
  assert.deepEqual(importsOf("import type A from './a.ts';\nexport type {\n  B,\n} from './b.ts';"), []);
  assert.deepEqual(importsOf("import { type A } from './a.ts';"), ['src/a.ts']);
  assert.deepEqual(importsOf("export type A = number;\nexport { b } from './b.ts';"), ['src/b.ts']);
  assert.deepEqual(importsOf("export type { A };\nexport { b } from './b.ts';"), ['src/b.ts']);
});

/** What the tests of this checkout depend on, read by the first test that asks. */
let ofCheckout: Digests | undefined;
const readCheckout = (): Digests => (ofCheckout ??= readDigests('.'));

test('the tests of this checkout depend on what they load', () => {
  const { list } = readCheckout();
  const assertDepends = (file: string, needed: readonly string[], unneeded: readonly string[]): void => {
    const files = new Set(list(file));
    assert.deepEqual(
      needed.filter((one) => !files.has(one)),
      [],
      `${file} needs`,
    );
    assert.deepEqual(
      unneeded.filter((one) => files.has(one)),
      [],
      `${file} does not need`,
    );
  };
  const service = ['bin/swath.js', 'bin/io-threads.js', 'src/main.ts', 'src/app/pixel-worker.ts'];
  const built = ['web/dist/index.html', 'kernels/dist/swath.wasm', 'docs/use/interface.md'];
  const other = ['docs/use/search.md', 'web/state/address.test.ts', 'src/raster/warp-golden.test.ts'];
  assertDepends('test/spec/sections/tile.test.ts', [...service, ...built, 'world/demo/demo-part.ts'], other);
  const page = [
    'web/dist/index.html',
    'web/main.ts',
    'test/browser/browser-server.ts',
    'src/sensors/index.ts',
  ];
  assertDepends('test/browser/viewer/map.test.ts', page, [...service, 'docs/use/interface.md']);
  assertDepends('test/browser/first-tile.test.ts', [...service, ...page, ...built], []);
  const kernels = [
    'kernels/dist/swath.wasm',
    'src/raster/kernels.ts',
    'package-lock.json',
    'scripts/test.ts',
  ];
  assertDepends('src/raster/plan-warp.test.ts', kernels, [...service, ...other]);
  const golden = 'test/golden/warp/';
  assert.ok(list('src/raster/warp-golden.test.ts').some((file) => file.startsWith(golden)));
  for (const reader of ['test/documents.test.ts', 'test/rooms.test.ts', 'test/source-style.test.ts']) {
    assertDepends(reader, [...service, ...built, ...other, 'CHANGELOG.md'], []);
  }
});

test('every fast test that starts a process depends on all, or its helper says what it reads', () => {
  const { list } = readCheckout();
  const everything = list('test/rooms.test.ts').length;
  const isUndeclared = (file: string): boolean => {
    if (!/^(src|test|web|world)\/.*\.ts$/.test(file)) return false;
    const text = readFileSync(file, 'utf8');
    return text.includes("'node:child_process'") && !text.includes('\n// Reads: ');
  };
  // Each file is judged once: most are in the lists of hundreds of tests.
  const undeclared = new Set(list('test/rooms.test.ts').filter(isUndeclared));
  assert.ok(undeclared.has('test/harness/test-passes.test.ts'));
  for (const file of listTests().filter((one) => !isSlow(one))) {
    const files = list(file);
    if (files.length < everything)
      assert.deepEqual(
        files.filter((one) => undeclared.has(one)),
        [],
        file,
      );
  }
});
