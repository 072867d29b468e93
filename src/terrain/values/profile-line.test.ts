import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLat } from '../../geo/index.ts';
import { applyAffine } from '../../geo/index.ts';
import { distanceM, sampleLine, toRuns } from './profile-line.ts';

test('distances are those of a sphere', () => {
  // A degree of a great circle: 2π × 6371008.8 m / 360.
  assert.ok(Math.abs(distanceM([0, 0], [1, 0]) - 111_195.08) < 0.01);
  assert.ok(Math.abs(distanceM([179.5, 60], [-179.5, 60]) - distanceM([0, 60], [1, 60])) < 1e-6);
  assert.ok(Math.abs(distanceM([0, 90], [120, -90]) - Math.PI * 6_371_008.8) < 1);
});

test('samples lie at equal distances, from end to end, around corners too', () => {
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

test('a line goes the short way across the antimeridian', () => {
  const lons = sampleLine(
    [
      [179, 0],
      [-179, 0],
    ],
    3,
  ).map(({ lon }) => lon);
  assert.deepEqual(lons, [179, 180, 181]);
});

test('a line of one spot has all samples there', () => {
  const samples = sampleLine(
    [
      [5, 5],
      [5, 5],
    ],
    4,
  );
  assert.ok(samples.every(({ lon, lat, distanceM: at }) => lon === 5 && lat === 5 && at === 0));
  assert.equal(
    toRuns(samples, 512).reduce((sum, { grid }) => sum + grid.width, 0),
    4,
  );
});

test('the pixels of runs are the samples, each once and in order', () => {
  const position = fc.tuple(
    fc.double({ min: -170, max: 170, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.array(position, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 2, max: 300 }),
      fc.integer({ min: 2, max: 64 }),
      (line, count, maxLength) => {
        const samples = sampleLine(line, count);
        let next = 0;
        for (const { first, grid } of toRuns(samples, maxLength)) {
          assert.equal(first, next);
          assert.ok(grid.width <= maxLength && grid.height === 1);
          for (let i = 0; i < grid.width; i++) {
            const [lon, lat] = applyAffine(grid.transform, i + 0.5, 0.5);
            const sample = samples[first + i];
            const step = Math.hypot(grid.transform[1], grid.transform[4]);
            assert.ok(
              Math.hypot(lon - (sample?.lon as number), lat - (sample?.lat as number)) <= 2e-6 * step + 1e-6,
            );
          }
          next += grid.width;
        }
        assert.equal(next, count);
      },
    ),
    { numRuns: 200 },
  );
});
