import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GcpFacts } from './gcp-facts.ts';
import { compareGcps, findFaults } from './gcp-facts.ts';

/** The subset of check-gcps.ts that needs no GDAL: images and warps made by `make_gcps.py --golden`. */
const folder = fileURLToPath(new URL('../../golden/gcps/', import.meta.url));
const { cases }: { cases: GcpFacts[] } = JSON.parse(readFileSync(`${folder}facts.json`, 'utf8'));

test('the golden set is there', () => {
  assert.equal(cases.length, 2);
  assert.equal(cases.flatMap(({ warps }) => warps).length, 6);
});

for (const facts of cases) {
  test(`control points georeference the image "${facts.name}" as GDAL does`, async () => {
    assert.deepEqual(findFaults(facts, await compareGcps(facts, folder)), []);
  });
}

test('the comparison can fail: pixels elsewhere, and positions elsewhere', async () => {
  const [first] = cases as [GcpFacts];
  const warps = first.warps.map((warp) => {
    const [x, ...rest] = warp.target.transform;
    return { ...warp, target: { ...warp.target, transform: [x + 200, ...rest] as const } };
  });
  const places = { ...first.places, tps: first.places.tps!.map(([x, y]) => [x + 0.01, y] as const) };
  const faults = findFaults(first, await compareGcps({ ...first, warps, places }, folder));
  assert.ok(faults.some((fault) => fault.startsWith('splines')));
  for (const { file } of warps) assert.ok(faults.some((fault) => fault.startsWith(`${file}: shift`)));
});
