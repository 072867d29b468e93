import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import {
  hashSources,
  isFresh,
  KERNELS,
  refresh as refreshBuild,
  toBuiltFrom,
  WEB,
} from '../../scripts/built-from.ts';

/** A checkout in small, and a builder that only counts. */
function makeCheckout(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'swath-web-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  write('web/main.ts', 'one');
  const said: string[] = [];
  let builds = 0;
  const refresh = (failure?: Error) =>
    refreshBuild(WEB, {
      root,
      async build() {
        if (failure !== undefined) throw failure;
        builds += 1;
        write('web/dist/assets/main.js', 'made');
        write('web/dist/built-from.txt', hashSources(root, WEB));
      },
      onFailure: (sentence) => said.push(sentence),
    });
  return { root, write, refresh, said, countBuilds: () => builds };
}

test('the viewer is built when it is missing, and again when a source of it has changed', async (t) => {
  const { write, refresh, countBuilds } = makeCheckout(t);
  await refresh();
  await refresh();
  assert.equal(countBuilds(), 1);
  const changes = { 'web/styles/map.css': 'a', 'web/icons.svg': 'b', 'web/main.ts': 'c' };
  for (const [i, [file, content]] of Object.entries(changes).entries()) {
    write(file, content);
    await refresh();
    await refresh();
    assert.equal(countBuilds(), 2 + i, file);
  }
  write('web/main.test.ts', 'tests are not built');
  await refresh();
  assert.equal(countBuilds(), 4);
});

test('the time of a build says when its sources were last compared', async (t) => {
  const { root, refresh, countBuilds } = makeCheckout(t);
  await refresh();
  const longAgo = new Date(0);
  utimesSync(toBuiltFrom(root, WEB), longAgo, longAgo);
  const beforeMs = Date.now() - 1_000;
  await refresh();
  assert.ok(statSync(toBuiltFrom(root, WEB)).mtimeMs > beforeMs);
  assert.equal(countBuilds(), 1);
});

test('a stale viewer that cannot be built is named in one sentence, with the command', async (t) => {
  const { root, write, refresh, said } = makeCheckout(t);
  write('web/dist/built-from.txt', 'other sources');
  assert.equal(isFresh(root, WEB), false);
  await refresh(new Error("Cannot find package 'esbuild'\nand where it was looked for"));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^web\/dist .* \("npm run prepare"\): Cannot find package 'esbuild'$/);
  assert.ok(toBuiltFrom(root, WEB).startsWith(root));
});

test('kernels of other sources are noticed; sources of the viewer do not count for them', (t) => {
  const { root, write } = makeCheckout(t);
  write('kernels/index.ts', 'one');
  write('kernels/dist/built-from.txt', hashSources(root, KERNELS));
  assert.equal(isFresh(root, KERNELS), true);
  write('web/main.ts', 'two');
  write('kernels/dist/swath.wasm', 'made');
  assert.equal(isFresh(root, KERNELS), true);
  write('kernels/index.ts', 'two');
  assert.equal(isFresh(root, KERNELS), false);
});
