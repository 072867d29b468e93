import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from './noise.ts';
import type { Place } from './polyline.ts';
import { distanceM, makeStrokeIndex, resampleLine, smoothLine } from './polyline.ts';

const zigzag: readonly Place[] = [
  { x: 0, y: 0 },
  { x: 1000, y: 500 },
  { x: 1500, y: -200 },
];

/** Distance to a dense row of points along the line: slow, but has no buckets to get wrong. */
function slowDistanceM(points: readonly Place[], to: Place): number {
  return Math.min(...resampleLine(points, 0.5).map((point) => distanceM(point, to)));
}

test('edge distances agree with a search of the whole line, and are the reach beyond it', () => {
  const index = makeStrokeIndex([{ points: zigzag, halfWidthM: 20 }], 100);
  let near = 0;
  for (let i = 0; i < 300; i++) {
    const place = { x: (hash(i, 0, 1) % 2000) - 200, y: (hash(i, 1, 1) % 1200) - 400 };
    const expected = Math.min(100, slowDistanceM(zigzag, place) - 20);
    assert.ok(Math.abs(index.edgeDistanceM(place.x, place.y) - expected) < 0.1, `at ${place.x}, ${place.y}`);
    if (expected < 100) near++;
  }
  assert.ok(near > 50, `only ${near} places were near the line`);
});

test('resampling keeps the ends, the spacing and the way', () => {
  const line = resampleLine(zigzag, 40);
  assert.deepEqual(line[0], zigzag[0]);
  assert.deepEqual(line.at(-1), zigzag.at(-1));
  for (let i = 1; i < line.length - 1; i++) assert.ok(distanceM(line[i - 1]!, line[i]!) <= 40.0001);
  for (const point of line) assert.ok(slowDistanceM(zigzag, point) < 0.6);
});

test('smoothing keeps the ends and takes the corner off', () => {
  const line = smoothLine(zigzag, 3);
  assert.deepEqual(line[0], zigzag[0]);
  assert.deepEqual(line.at(-1), zigzag.at(-1));
  const cornerM = Math.min(...line.map((point) => distanceM(point, zigzag[1]!)));
  assert.ok(cornerM > 50, `the corner is ${cornerM} m away`);
});
