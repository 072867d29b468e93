import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { toSourceLines } from './source-lines.ts';

test('traces name source lines; everything else stays unchanged', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'swath-lines-'));
  t.after(() => rmSync(home, { recursive: true }));
  const dist = join(home, 'bin', 'dist');
  mkdirSync(dist, { recursive: true });
  // The third line of the script is the eleventh of the source, from its second column on.
  const map = { version: 3, sources: ['../../src/draw.ts'], names: [], mappings: ';;AAUC' };
  writeFileSync(join(dist, 'part-A.js.map'), JSON.stringify(map));
  const folder = pathToFileURL(`${dist}/`);
  const at = (file: string): string =>
    `Error: no pixels\n    at draw (${pathToFileURL(join(home, file)).href}`;
  assert.equal(toSourceLines(`${at('bin/dist/part-A.js')}:3:1)`, folder), `${at('src/draw.ts')}:11:2)`);
  for (const trace of [
    `${at('bin/dist/part-B.js')}:3:1)`,
    `${at('bin/dist/../part-A.js')}:3:1)`,
    `${at('src/draw.ts')}:3:1)`,
    'GET /bin/dist/part-A.js:3:1',
  ])
    assert.equal(toSourceLines(trace, folder), trace);
});
