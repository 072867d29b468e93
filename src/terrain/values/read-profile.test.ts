import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LonLat } from '../../geo/index.ts';
import { distanceM, sampleLine } from './read-profile.ts';

test('distances are measured on a sphere', () => {
  // A degree of a great circle: 2π × 6371008.8 m / 360.
  assert.ok(Math.abs(distanceM([0, 0], [1, 0]) - 111_195.08) < 0.01);
  assert.ok(Math.abs(distanceM([179.5, 60], [-179.5, 60]) - distanceM([0, 60], [1, 60])) < 1e-6);
  assert.ok(Math.abs(distanceM([0, 90], [120, -90]) - Math.PI * 6_371_008.8) < 1);
});

test('samples are at equal distances, from end to end, also around corners', () => {
  const line: LonLat[] = [
    [10, 50],
    [10.01, 50],
    [10.01, 50.02],
  ];
  const samples = sampleLine(line, 31);
  assert.deepEqual([samples[0]?.lon, samples[0]?.lat], line[0]);
  const last = samples.at(-1);
  assert.ok(
    Math.abs((last?.lon as number) - 10.01) < 1e-12 && Math.abs((last?.lat as number) - 50.02) < 1e-12,
  );
  const steps = samples.slice(1).map(({ distanceM: to }, i) => to - (samples[i]?.distanceM as number));
  for (const step of steps) assert.ok(Math.abs(step - (steps[0] as number)) < 1e-6);
  assert.ok(
    Math.abs(
      (last?.distanceM as number) - distanceM([10, 50], [10.01, 50]) - distanceM([10.01, 50], [10.01, 50.02]),
    ) < 1e-6,
  );
});

test('a line takes the short way across the antimeridian', () => {
  const lons = sampleLine(
    [
      [179, 0],
      [-179, 0],
    ],
    3,
  ).map(({ lon }) => lon);
  assert.deepEqual(lons, [179, 180, 181]);
});

test('a line of one point has all samples there', () => {
  const samples = sampleLine(
    [
      [5, 5],
      [5, 5],
    ],
    4,
  );
  assert.ok(samples.every(({ lon, lat, distanceM: at }) => lon === 5 && lat === 5 && at === 0));
});
