import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLat, Ring } from '../geo/index.ts';
import { cutAtAntimeridian, signedSize, turnRing, unwrapRing } from './rings.ts';

const ring = (text: string): Ring => {
  const open = text.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as LonLat);
  return [...open, open[0]!];
};
const sizeOf = (parts: readonly (readonly Ring[])[]): number =>
  parts.flat().reduce((sum, one) => sum + signedSize(one) / 2, 0);

test('a ring across the antimeridian is unwrapped, one around a pole does not close', () => {
  assert.deepEqual(unwrapRing(ring('179 0, -179 0, -179 1, 179 1')), ring('179 0, 181 0, 181 1, 179 1'));
  assert.deepEqual(unwrapRing(ring('-179 0, -179 1, 179 1, 179 0')), ring('-179 0, -179 1, -181 1, -181 0'));
  assert.deepEqual(unwrapRing(ring('179 0, 181 0, 181 1')), ring('179 0, 181 0, 181 1'), 'as it is');
  assert.equal(unwrapRing(ring('-120 80, 0 80, 120 80')), null);
  const seam = ring('179 0, 180 0, -180 0, -179 0, -179 1, -180 1, 180 1, 179 1');
  assert.deepEqual(
    unwrapRing(seam),
    ring('179 0, 180 0, 181 0, 181 1, 180 1, 179 1'),
    'both names of the seam',
  );
  const cap = ring('-180 -90, 180 -90, 180 -70, 0 -75, -180 -70');
  assert.deepEqual(unwrapRing(cap), cap, 'closed over the pole');
  const world = ring('-180 -85, 180 -85, 180 85, -180 85');
  assert.deepEqual(unwrapRing(world), world, 'a whole turn is taken as written');
});

test('a jump is read so that the outer ring runs counter-clockwise', () => {
  const world = ring('-179 -60, 179 -60, 179 60, -179 60');
  assert.deepEqual(unwrapRing(world), world, 'a wide box is wide');
  const wide = ring('-123 -40, 152 -40, 152 40, -123 40');
  assert.deepEqual(unwrapRing(wide), wide);
  assert.deepEqual(
    unwrapRing(ring('179 -60, -179 -60, -179 60, 179 60')),
    ring('179 -60, 181 -60, 181 60, 179 60'),
    'a box over the antimeridian is narrow',
  );
  const clockwise = ring('10 0, 10 1, 12 1, 12 0');
  assert.deepEqual(unwrapRing(clockwise), clockwise, 'without jumps nothing has two readings');
  const triangle = ring('-170 0, 170 0, 0 50');
  assert.deepEqual(unwrapRing(triangle), triangle, 'the short way would not close');
});

test('property: a box wider than 180° means itself, and when reversed the narrow box across the antimeridian', () => {
  const lon = fc.integer({ min: -1790, max: 1790 }).map((tenths) => tenths / 10);
  const lat = fc.integer({ min: -89, max: 89 });
  fc.assert(
    fc.property(lon, lon, lat, lat, fc.integer({ min: 0, max: 3 }), (a, b, c, d, start) => {
      const [west, east, south, north] = [Math.min(a, b), Math.max(a, b), Math.min(c, d), Math.max(c, d)];
      fc.pre(east - west > 180 && north > south);
      const corners: LonLat[] = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ];
      const open = [...corners.slice(start), ...corners.slice(0, start)];
      const box = [...open, open[0]!];
      assert.deepEqual(unwrapRing(box), box);
      const behind = unwrapRing(box.toReversed());
      assert.ok(behind !== null && signedSize(behind) > 0);
      const lons = behind.map(([one]) => one);
      const width = Math.max(...lons) - Math.min(...lons);
      assert.ok(Math.abs(width - (360 - (east - west))) < 1e-9, `${width}`);
    }),
  );
});

test('a hole runs clockwise, and is never wider than its polygon', () => {
  const outer = ring('-179 -60, 179 -60, 179 60, -179 60');
  const hole = ring('-170 -50, -170 50, 170 50, 170 -50');
  assert.deepEqual(unwrapRing(hole, { outer }), hole);
  const narrow = ring('175 0, 185 0, 185 10, 175 10');
  for (const written of ['179 1, 179 2, -179 2, -179 1', '179 1, -179 1, -179 2, 179 2']) {
    const lons = unwrapRing(ring(written), { outer: narrow })!.map(([lon]) => lon);
    assert.deepEqual([Math.min(...lons), Math.max(...lons)], [179, 181], written);
  }
});

test('turnRing shifts a ring by multiples of 360° to put its western end into range', () => {
  assert.deepEqual(turnRing(ring('539 0, 541 0, 540 1'), -180), ring('179 0, 181 0, 180 1'));
  assert.deepEqual(turnRing(ring('-181 0, -179 0, -180 1'), -180), ring('179 0, 181 0, 180 1'));
  assert.deepEqual(turnRing(ring('-180 0, -179 0, -180 1'), -180), ring('-180 0, -179 0, -180 1'));
});

test('a cut makes a part on each side, and loses no ground', () => {
  const parts = cutAtAntimeridian([ring('179 0, 182 0, 182 1, 179 1')]);
  assert.equal(parts.length, 2);
  assert.equal(sizeOf(parts), 3);
  assert.deepEqual(new Set(parts[1]![0]!.map(([lon]) => lon)), new Set([-180, -178]));
  assert.deepEqual(
    cutAtAntimeridian([ring('170 0, 180 0, 180 1')]),
    [[ring('170 0, 180 0, 180 1')]],
    'touches only',
  );
});

test('a cut splits a comb into its teeth, keeps a hole in its part, and opens a hole on the cut', () => {
  const comb = ring('178 0, 182 1, 178 2, 182 3, 178 4, 182 5, 178 6, 177 3');
  const teeth = cutAtAntimeridian([comb]);
  assert.equal(teeth.length, 4, 'the back of the comb and three teeth');
  assert.ok(Math.abs(sizeOf(teeth) - signedSize(comb) / 2) < 1e-9);

  const outer = ring('176 0, 184 0, 184 8, 176 8');
  const holes = ['177 1, 177 2, 178 2', '182 1, 182 2, 183 2', '179 4, 179 5, 181 5, 181 4'].map(ring);
  const parts = cutAtAntimeridian([outer, ...holes]);
  assert.deepEqual(
    parts.map(({ length }) => length),
    [2, 2],
  );
  assert.equal(sizeOf(parts), 64 - 0.5 - 0.5 - 2);
});

test('vertices on the cut make neither gaps nor slivers', () => {
  const touching = ring('178 0, 182 0, 182 4, 178 4, 180 2');
  const parts = cutAtAntimeridian([touching]);
  assert.equal(sizeOf(parts), signedSize(touching) / 2);
  for (const [outer] of parts) assert.ok(signedSize(outer!) > 0.1);
  const notch = ring('178 0, 182 0, 182 4, 180 2, 178 4');
  assert.equal(sizeOf(cutAtAntimeridian([notch])), signedSize(notch) / 2);
});
