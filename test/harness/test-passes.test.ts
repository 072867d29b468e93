import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Digests } from '../../scripts/test-digests.ts';
import { readPasses, rememberPasses } from '../../scripts/test-passes.ts';

const toTest = (body: string, options = '{}'): string =>
  `import { test } from 'node:test';\ntest('one', ${options}, () => { ${body} });\n`;

function makeFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-passes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  return { folder, write };
}

/** Runs the fast tier of a folder; the files that ran, by what they wrote. */
function runFast(folder: string, args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) {
  // A test run within a test would otherwise take itself for a part of that one.
  const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
  rmSync(join(folder, 'ran.txt'), { force: true });
  const { stdout, stderr, status } = spawnSync(process.execPath, [resolve('scripts/test.ts'), ...args], {
    cwd: folder,
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  let ran: string[] = [];
  try {
    ran = readFileSync(join(folder, 'ran.txt'), 'utf8').trim().split('\n').sort();
  } catch {
    // None ran.
  }
  return { ran, status, text: `${stdout}${stderr}` };
}

test('a run leaves out the files that passed, and runs them when something has changed', (t) => {
  const { folder, write } = makeFolder(t);
  const note = (name: string): string =>
    `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(join(folder, 'ran.txt'))}, '${name}\\n');\n`;
  write('.gitignore', '');
  write('src/used.ts', '1;');
  write('src/passes.test.ts', `import './used.ts';\n${note('passes')}${toTest('')}`);
  write('src/other.test.ts', `${note('other')}${toTest('')}`);
  write('src/skips.test.ts', `${note('skips')}${toTest('', '{ skip: "a tool is missing" }')}`);
  // Each of these runs in a process of its own.
  write('test/service/fails.test.ts', `${note('fails')}${toTest('throw new Error("as it should")')}`);
  write('test/service/ends.test.ts', `${note('ends')}${toTest('process.exit(0)')}`);
  write('test/service/late.test.ts', `${note('late')}${toTest('process.exitCode = 3;')}`);
  const never = ['ends', 'fails', 'late', 'skips'];
  const all = ['ends', 'fails', 'late', 'other', 'passes', 'skips'];

  const first = runFast(folder);
  assert.deepEqual([first.ran, first.status], [all, 1], first.text);
  assert.match(first.text, /^test\/service\/ends\.test\.ts ended without a report of its tests\.$/m);
  const second = runFast(folder);
  assert.deepEqual([second.ran, second.status], [never, 1], second.text);
  assert.match(
    second.text,
    /^2 of 6 files have not changed since they passed and are left out; npm test -- --again runs them all\.$/m,
  );
  rmSync(join(folder, 'test'), { recursive: true });
  rmSync(join(folder, 'src/skips.test.ts'));
  assert.deepEqual(runFast(folder).ran, []);
  write('src/used.ts', '2;');
  const changed = runFast(folder);
  assert.deepEqual([changed.ran, changed.status], [['passes'], 0], changed.text);
  assert.deepEqual(runFast(folder, ['--again']).ran, ['other', 'passes']);
  assert.deepEqual(runFast(folder, [], { CI: 'true' }).ran, ['other', 'passes']);
});

/** Digests that are just these. */
const toDigests = (digests: Readonly<Record<string, string | null>>, stamp = ''): Digests => ({
  list: () => [],
  of: (file) => digests[file] ?? null,
  stampOf: (file) => `${digests[file]} ${stamp}`,
});

test('a file is forgotten when it fails, and when its sources were written during the run', (t) => {
  const { folder } = makeFolder(t);
  const path = join(folder, 'cache/passes.json');
  const remember = (passed: readonly string[], before: Digests, after = before): Record<string, string> => {
    rememberPasses(path, { ran: ['a', 'b'], passed: new Set(passed), before, after });
    return Object.fromEntries(readPasses(path));
  };
  const digests = toDigests({ a: '1', b: '2' });
  assert.deepEqual(remember(['a', 'b'], digests), { a: '1', b: '2' });
  assert.deepEqual(remember(['b'], digests), { b: '2' });
  assert.deepEqual(remember(['a', 'b'], digests, toDigests({ a: '1', b: '3' })), { a: '1' });
  assert.deepEqual(remember(['a', 'b'], digests, toDigests({ a: '1', b: '2' }, 'written and restored')), {});
  assert.deepEqual(remember(['a', 'b'], toDigests({ a: null, b: '2' })), { b: '2' });
  writeFileSync(path, '{"a":');
  assert.equal(readPasses(path).size, 0);
});
