import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClassMap, Corner, Patch } from '../numbers/index.ts';
import { tracePatches } from '../numbers/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { simplifyPatches } from './simplify-patches.ts';

const trace = (map: ClassMap): readonly Patch[] => {
  const work = tracePatches(map);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
};
const toMap = (...rows: readonly string[]): ClassMap => ({
  width: rows[0]!.length,
  height: rows.length,
  classes: Uint8Array.from(rows.join('').replaceAll('.', '0'), Number),
});

/** Twice the area of rings, holes subtracted. */
const areaOf = ({ rings }: Patch): number =>
  rings.reduce((sum, ring) => {
    let own = 0;
    for (let i = 1; i < ring.length; i++)
      own += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
    return sum - own;
  }, 0);

/** Segments of all rings, with a count for each of how often it occurs in either direction. */
function countSegments(patches: readonly Patch[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ring of patches.flatMap(({ rings }) => rings)) {
    for (let i = 1; i < ring.length; i++) {
      const key = [ring[i - 1]!, ring[i]!].map(String).sort().join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

const turn = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

test('without a tolerance every pixel corner stays', () => {
  const map = toMap('112', '122', '222');
  const patches = trace(map);
  assert.equal(simplifyPatches(patches, map, 0), patches);
});

test('stairs become a straight line that both neighbours share', () => {
  const map = toMap('1222', '1122', '1112', '1111');
  const patches = simplifyPatches(trace(map), map, 0.75);
  const lines = patches.map(({ rings }) => new Set(rings[0]!.map(String)));
  const shared = [...lines[0]!].filter((corner) => lines[1]!.has(corner));
  assert.equal(shared.length, 2, 'only the ends of the border');
  assert.equal(areaOf(patches[0]!) + areaOf(patches[1]!), 2 * 16);
});

test('an island of one pixel stays', () => {
  const map = toMap('111', '121', '111');
  const [, island] = simplifyPatches(trace(map), map, 1);
  assert.equal(areaOf(island!), 2);
});

test('any map gives no gap, no overlap, no crossing, and rings of at least three corners', () => {
  const maps = fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
    .chain(([width, height]) =>
      fc.uint8Array({ minLength: width * height, maxLength: width * height, max: 2 }).map((classes) => ({
        width,
        height,
        classes,
      })),
    );
  const tolerances = fc.constantFrom(0.5, 0.75, 1);
  fc.assert(
    fc.property(maps, tolerances, (map, tolerance) => {
      const patches = simplifyPatches(trace(map), map, tolerance);
      for (const { rings } of patches)
        for (const ring of rings) {
          assert.deepEqual(ring[0], ring.at(-1));
          assert.ok(ring.length >= 4, `${ring}`);
        }
      for (const patch of patches) assert.ok(areaOf(patch) > 0, 'no patch turns inside out');
      // Neighbours share whole segments: each occurs twice, or once on the border of all patches.
      const counts = countSegments(patches);
      assert.ok([...counts.values()].every((count) => count <= 2));
      const segments = [...counts.keys()].map((key) =>
        key.split(' ').map((corner) => corner.split(',').map(Number) as unknown as Corner),
      ) as [Corner, Corner][];
      for (const [i, [a, b]] of segments.entries())
        for (const [c, d] of segments.slice(i + 1)) {
          const isCrossing = turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
          assert.ok(!isCrossing, `${a} ${b} and ${c} ${d}`);
        }
    }),
    { numRuns: casesOf(300) },
  );
});
