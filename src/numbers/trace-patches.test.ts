import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import type { ClassMap, Corner, Patch } from './trace-patches.ts';
import { tracePatches } from './trace-patches.ts';

const toMap = (...rows: readonly string[]): ClassMap => ({
  width: rows[0]?.length ?? 0,
  height: rows.length,
  classes: Uint8Array.from(rows.join('').replaceAll('.', '0'), Number),
});

const runAll = (map: ClassMap): readonly Patch[] => {
  const work = tracePatches(map);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
};

/** Signed area in pixels; positive for a ring that is counter-clockwise with north up. */
const areaOf = (ring: readonly Corner[]): number => {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x0, y0], [x1, y1]] = [ring[i - 1]!, ring[i]!];
    sum += x0 * -y1 - x1 * -y0;
  }
  return sum / 2;
};

/** Even-odd rule over all rings. */
const isInside = (rings: Patch['rings'], x: number, y: number): boolean => {
  let crossings = 0;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [[x0, y0], [x1, y1]] = [ring[i - 1]!, ring[i]!];
      if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) crossings++;
    }
  }
  return crossings % 2 === 1;
};

/** What makes a polygon valid: closed rings that do not touch themselves, the outer one first, holes turning the other way. */
const assertValid = ({ rings, pixels }: Patch): void => {
  assert.ok(rings.length > 0);
  for (const [i, ring] of rings.entries()) {
    assert.deepEqual(ring[0], ring.at(-1), 'closed');
    const corners = ring.slice(1).map(String);
    assert.equal(new Set(corners).size, corners.length, `touches itself: ${corners.join(' ')}`);
    assert.ok(i === 0 ? areaOf(ring) > 0 : areaOf(ring) < 0, 'direction');
    for (let k = 1; k < ring.length; k++) {
      const [[x0, y0], [x1, y1]] = [ring[k - 1]!, ring[k]!];
      assert.ok((x0 === x1) !== (y0 === y1), 'edges run along pixels');
    }
  }
  assert.equal(
    rings.reduce((sum, ring) => sum + areaOf(ring), 0),
    pixels,
  );
};

test('one pixel is a square, counter-clockwise, and a straight side has no corner in its middle', () => {
  const [patch] = runAll(toMap('.....', '.11..', '.....'));
  assert.deepEqual(new Set(patch?.rings[0]?.map(String)), new Set(['1,1', '1,2', '3,2', '3,1']));
  assert.equal(patch?.rings[0]?.length, 5);
  assertValid(patch!);
});

test('a hole is a separate ring, even where it touches the outside at a corner', () => {
  const [ring] = runAll(toMap('111', '1.1', '111'));
  assert.deepEqual([ring?.rings.length, ring?.pixels], [2, 8]);
  const [touching] = runAll(toMap('.11', '1.1', '111'));
  assert.equal(touching?.rings.length, 2);
  assertValid(touching!);
});

test('pixels that only touch at a corner are two patches', () => {
  const patches = runAll(toMap('1.', '.1'));
  assert.equal(patches.length, 2);
  for (const patch of patches) assertValid(patch);
});

test('neighbours share the corners at which three meet', () => {
  const [top] = runAll(toMap('1111', '2233'));
  assert.ok(
    top?.rings[0]?.some(([x, y]) => x === 2 && y === 1),
    'in the middle of a straight side',
  );
});

test('any map gives valid rings, every pixel in exactly its own patch, and areas that add up', () => {
  const maps = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc.uint8Array({ minLength: width * height, maxLength: width * height, max: 2 }).map((classes) => ({
        width,
        height,
        classes,
      })),
    );
  fc.assert(
    fc.property(maps, (map) => {
      const patches = runAll(map);
      for (const patch of patches) assertValid(patch);
      for (const [i, own] of map.classes.entries()) {
        const [x, y] = [(i % map.width) + 0.5, Math.floor(i / map.width) + 0.5];
        const around = patches.filter(({ rings }) => isInside(rings, x, y));
        assert.deepEqual(
          around.map((patch) => patch.class),
          own === 0 ? [] : [own],
        );
      }
      const known = map.classes.filter((own) => own !== 0).length;
      assert.equal(
        patches.reduce((sum, { pixels }) => sum + pixels, 0),
        known,
      );
    }),
    { numRuns: casesOf(300) },
  );
});
