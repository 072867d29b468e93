/** How much a first visit loads. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { requireFreshWebBuild } from './web-build.ts';

const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets');

test('the scripts that the page waits for are at most 450 kB, compressed', () => {
  requireFreshWebBuild();
  const scripts = new Set(globSync('main-*.js', { cwd: assets }));
  let bytes = 0;
  for (const script of scripts) {
    const text = readFileSync(join(assets, script), 'utf8');
    bytes += gzipSync(text).length;
    for (const [, part = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) scripts.add(part);
  }
  assert.ok(bytes > 200_000, `${bytes} bytes are less than the map library alone`);
  assert.ok(bytes <= 450_000, `${bytes} bytes`);
  const page = readFileSync(join(assets, '..', 'index.html'), 'utf8');
  for (const script of scripts) assert.ok(page.includes(script), `the page does not name ${script}`);
});
