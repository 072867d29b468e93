import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAtAntimeridian, turnRing, unwrapRing } from './antimeridian.ts';
import { signedSize } from './exact.ts';
import type { LonLat, Ring } from './geometry.ts';

const ring = (text: string): Ring => {
  const open = text.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as LonLat);
  return [...open, open[0]!];
};
const sizeOf = (parts: readonly (readonly Ring[])[]): number =>
  parts.flat().reduce((sum, one) => sum + signedSize(one) / 2, 0);

test('a ring over the antimeridian is unwrapped, one round a pole does not close', () => {
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

test('turnRing brings the western end into the wanted turn', () => {
  assert.deepEqual(turnRing(ring('539 0, 541 0, 540 1'), -180), ring('179 0, 181 0, 180 1'));
  assert.deepEqual(turnRing(ring('-181 0, -179 0, -180 1'), -180), ring('179 0, 181 0, 180 1'));
  assert.deepEqual(turnRing(ring('-180 0, -179 0, -180 1'), -180), ring('-180 0, -179 0, -180 1'));
});

test('a cut makes a part on each side, with nothing lost', () => {
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

test('a comb falls into its teeth, a hole stays in its part, one on the cut opens it', () => {
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
