import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mayShare, toGroups } from '../../scripts/test-groups.ts';
import { findAffected, hasSizes, isSlow, limitOf, listTests } from '../../scripts/test-tiers.ts';
import { longestFirst, readTimes, toFullSize, writeTimes } from '../../scripts/test-times.ts';

test('--changed adds the slow files that import a changed file, directly or not, and no fast ones', () => {
  const files = listTests();
  const byDoor = findAffected(files, new Set(['src/async/retry.ts']));
  assert.ok(byDoor.includes('test/spec/cloud-masking.slow.test.ts'), 'through the rooms between them');
  assert.ok(byDoor.every(isSlow));
  assert.deepEqual(findAffected(files, new Set(['docs/use/README.md'])), []);
  const own = 'src/raster/warp.slow.test.ts';
  assert.deepEqual(findAffected(files, new Set([own])), [own]);
});

test('files that try more cases in the full size are found by their import', () => {
  assert.ok(hasSizes('src/http/server/routing.test.ts'));
  assert.ok(!hasSizes('src/async/retry.test.ts'));
});

test('every file that may take longer than others is there', () => {
  const longer = listTests().filter((file) => limitOf(file) > limitOf('src/any.test.ts'));
  assert.deepEqual(longer, ['test/browser/first-tile.test.ts', 'test/ports/sqlite.test.ts']);
});

test('times of a run are kept for files that the next one leaves out; a damaged cache is none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-times-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'times.json');
  assert.equal(readTimes(path).size, 0);
  const time = (wallMs: number) => ({ wallMs, cpuMs: 1 });
  writeTimes(
    path,
    new Map([
      ['a', time(5)],
      ['b', time(1)],
    ]),
    new Map([['b', time(9)]]),
  );
  const times = readTimes(path);
  const scripts = new Map<string, readonly string[]>([
    ...['a', 'b', 'new', 'test/new', 'new.slow.test.ts'].map((file) => [file, [file]] as const),
    ['group', ['a', 'b']] as const,
  ]);
  assert.deepEqual(longestFirst(scripts, times), ['new.slow.test.ts', 'test/new', 'new', 'group', 'b', 'a']);
  writeFileSync(path, '{"a":');
  assert.equal(readTimes(path).size, 0);
});

test('short files share a process, as many as take twelve seconds of processor time; slow ones do not', () => {
  const times = new Map([
    ['a', { wallMs: 60_000, cpuMs: 6_000 }],
    ['b', { wallMs: 3_000, cpuMs: 4_000 }],
    ['c', { wallMs: 1, cpuMs: 2_001 }],
  ]);
  assert.deepEqual(toGroups(['c', 'b', 'a'], times), [['a', 'b'], ['c']]);
  const many = Array.from({ length: 33 }, (_, i) => `new-${10 + i}`);
  assert.deepEqual(toGroups(many, times), [many.slice(0, 32), many.slice(32)]);
  assert.deepEqual(toGroups([], times), []);
  // Ten times as many cases leave fewer files to a process.
  const full = toFullSize(times, (file) => file === 'b');
  assert.deepEqual(toGroups(['a', 'b', 'c'], full), [['a'], ['b'], ['c']]);
  assert.deepEqual(full.get('a'), times.get('a'));
  assert.ok(mayShare('src/async/gate.test.ts') && mayShare('test/oracle/tiff/scaled.test.ts'));
  assert.ok(mayShare('src/net/proxy.test.ts'), 'which waits for servers while it loads');
  // Their service is started once for a process, which other files would have to wait for.
  const spec = ['test/spec/sections/point.test.ts', 'test/spec/sections/tile.test.ts'];
  assert.ok(spec.every(mayShare));
  assert.deepEqual(toGroups(['test/rooms.test.ts', ...spec, 'web/a.test.ts'], times), [
    ['test/rooms.test.ts'],
    spec,
    ['web/a.test.ts'],
  ]);
  assert.ok(!mayShare('src/raster/warp.slow.test.ts') && !mayShare('test/ports/sqlite.test.ts'));
});
