/** How much a first visit loads. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { requireFreshWebBuild } from './web-build.ts';

const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets');

test('the script of the page is at most 450 kB, compressed', () => {
  requireFreshWebBuild();
  const [main = ''] = globSync('main-*.js', { cwd: assets });
  const bytes = gzipSync(readFileSync(join(assets, main))).length;
  assert.ok(bytes <= 450_000, `${bytes} bytes`);
});
