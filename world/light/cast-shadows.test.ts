import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFakeWorld } from '../testing/fake-world.ts';
import { castShadows } from './cast-shadows.ts';
import { boxOf } from './lattice.ts';
import { toSunRay } from './sun.ts';
import { makeLevelSurvey, makeLocations } from './testing/test-light.ts';

/** A wall of 1000 m along y = 20,000 (or x = 20,000) on a plain. */
const wall = (across: 'x' | 'y') => ({
  ...makeFakeWorld().ground,
  coarseHeightAt: (x: number, y: number): number =>
    Math.abs((across === 'x' ? x : y) - 20_000) < 350 ? 1000 : 0,
});
const locations = makeLocations({ left: 10_000, top: 10_000, sideM: 100, size: 200 });
const survey = makeLevelSurvey(locations, 0);
const box = boxOf(locations);

const shadedAt = (shade: Float32Array | undefined, x: number, y: number): number =>
  shade![Math.floor((y - 10_000) / 100) * 200 + Math.floor((x - 10_000) / 100)]!;

test("a mountain casts its shadow away from the sun, as long as its height over the tangent of the sun's altitude", () => {
  // 20° above the south: 1000 m throw 2747 m to the north.
  const shade = castShadows(wall('y'), { survey, box, ray: toSunRay({ elevationDeg: 20, azimuthDeg: 180 }) });
  assert.equal(shadedAt(shade, 20_050, 20_000 - 2300), 1);
  assert.equal(shadedAt(shade, 20_050, 20_000 - 3600), 0);
  assert.equal(shadedAt(shade, 20_050, 20_000 + 1000), 0);
  // And from the east, to the west.
  const evening = castShadows(wall('x'), {
    survey,
    box,
    ray: toSunRay({ elevationDeg: 20, azimuthDeg: 90 }),
  });
  assert.equal(shadedAt(evening, 20_000 - 2300, 15_050), 1);
  assert.equal(shadedAt(evening, 20_000 + 1000, 15_050), 0);
});

test('an oblique sun casts an oblique shadow', () => {
  const shade = castShadows(wall('y'), { survey, box, ray: toSunRay({ elevationDeg: 20, azimuthDeg: 225 }) });
  // Only 0.71 of the way leads north.
  assert.equal(shadedAt(shade, 20_050, 20_000 - 1500), 1);
  assert.equal(shadedAt(shade, 20_050, 20_000 - 2700), 0);
});

test('there are no such shadows on the plain or under a high sun', () => {
  const flat = { ...makeFakeWorld().ground, coarseHeightAt: () => 0 };
  assert.equal(
    castShadows(flat, { survey, box, ray: toSunRay({ elevationDeg: 20, azimuthDeg: 180 }) }),
    undefined,
  );
  const noon = toSunRay({ elevationDeg: 60, azimuthDeg: 180 });
  assert.equal(castShadows(wall('y'), { survey, box, ray: noon }), undefined);
});
