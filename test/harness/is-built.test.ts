/** When `bin/swath.js` runs the built server, and when the sources. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const IS_BUILT = new URL('../../bin/is-built.js', import.meta.url);

// Reads: bin/is-built.js

/** A time in seconds, of which files have whole ones. */
const BUILT = 1_800_000_000;

test('the build runs while no source is newer, a package always, and probes and coverage get sources', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'swath-built-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, content: string, timeS = BUILT - 1): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    utimesSync(join(root, file), timeS, timeS);
  };
  write('package.json', '{ "type": "module" }');
  write('bin/is-built.js', readFileSync(IS_BUILT, 'utf8'));
  const { isBuilt } = await import(pathToFileURL(join(root, 'bin/is-built.js')).href);
  const ask = (execArgv: readonly string[] = [], env: object = {}): string =>
    isBuilt({ execArgv, env }) ? 'built' : 'sources';
  assert.equal(ask(), 'sources', 'nothing is built');

  write('src/main.ts', 'one');
  write('src/app/serve.ts', 'one');
  write('bin/dist/inputs.txt', 'src/main.ts\nsrc/app/serve.ts');
  assert.equal(ask(), 'sources', 'the build has not ended');
  write('bin/dist/built-from.txt', 'digest', BUILT);
  assert.equal(ask(), 'built');
  assert.equal(ask(['--import', 'data:text/javascript,0']), 'sources');
  assert.equal(ask([], { NODE_V8_COVERAGE: join(root, 'coverage') }), 'sources');
  write('src/app/serve.ts', 'two', BUILT);
  assert.equal(ask(), 'sources', 'an edit while it was built');
  write('src/app/serve.ts', 'one');
  assert.equal(ask(), 'built');
  rmSync(join(root, 'src/main.ts'));
  assert.equal(ask(), 'sources', 'a source is gone');

  write('bin/dist/inputs.txt', '');
  rmSync(join(root, 'bin/dist/built-from.txt'));
  assert.equal(ask(['--import', 'data:text/javascript,0']), 'built', 'a package has no sources');
});
