import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import type { CogOptions } from '../../cog/cog-options.ts';
import { planCog } from '../../cog/plan-cog.ts';
import { writeCogBytes } from '../../cog/testing/write-cog.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openTiff } from '../image/tiff-reader.ts';
import type { ControlPoint } from './georeference.ts';

const points: readonly ControlPoint[] = [
  { column: 0.5, row: 0.5, x: -122.25, y: 48.5, z: 12.5 },
  { column: 39.5, row: 0.5, x: -122.2, y: 48.51, z: 0 },
  { column: 0.5, row: 19.5, x: -122.24, y: 48.4, z: 800 },
  { column: 39.5, row: 19.5, x: -122.19, y: 48.41, z: 3 },
];

const options: CogOptions = {
  width: 40,
  height: 20,
  bandCount: 1,
  type: 'uint16',
  epsg: 4326,
  transform: null,
  controlPoints: points,
  nodata: 0,
  compression: 'none',
  predictor: 1,
};

test('control points are read back as they were given', async () => {
  const bytes = await writeCogBytes(options, [new Uint16Array(800).fill(7)]);
  const { epsg, transform, gcps } = await openTiff(makeMemorySource(bytes));
  assert.equal(epsg, 4326);
  assert.equal(transform, null);
  assert.deepEqual(gcps, points);
});

test('control points that a reader could not use are refused', () => {
  const wrong: Partial<CogOptions>[] = [
    { transform: [0, 1, 0, 0, 0, -1] },
    { controlPoints: points.slice(0, 3) },
    { controlPoints: [...points.slice(0, 3), { ...points[3]!, x: Number.NaN }] },
    { controlPoints: Array.from({ length: 5_000 }, () => points[0]!) },
  ];
  for (const one of wrong) {
    assert.throws(
      () => planCog({ ...options, ...one }),
      (error) => isSwathError(error) && error.code === 'bad-control-points',
    );
  }
});
