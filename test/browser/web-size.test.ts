/** How much a first visit loads. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireFreshWebBuild } from './web-build.ts';

const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets');

/** Bytes of a file as it is sent to a browser that takes Brotli. */
const sentBytes = (file: string): number => {
  const compressed = join(assets, `${file}.br`);
  return statSync(existsSync(compressed) ? compressed : join(assets, file)).size;
};

test('the scripts of a first visit, including the map worker, are at most 450 kB compressed', () => {
  requireFreshWebBuild();
  // The first script imports the second one at once.
  const scripts = new Set(globSync('{start,main}-*.js', { cwd: assets }));
  for (const script of scripts) {
    const text = readFileSync(join(assets, script), 'utf8');
    for (const [, part = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) scripts.add(part);
  }
  const page = readFileSync(join(assets, '..', 'index.html'), 'utf8');
  for (const script of scripts) assert.ok(page.includes(script), `the page does not name ${script}`);
  // Over HTTP/1.1 a browser loads six files at a time, and each more costs a round trip.
  assert.ok(scripts.size <= 6, `${scripts.size} scripts`);
  const workers = globSync('map-worker-*.js', { cwd: assets });
  assert.equal(workers.length, 1);
  const bytes = [...scripts, ...workers].reduce((sum, script) => sum + sentBytes(script), 0);
  assert.ok(bytes > 300_000, `${bytes} bytes are less than the map library alone`);
  assert.ok(bytes <= 450_000, `${bytes} bytes`);
});
