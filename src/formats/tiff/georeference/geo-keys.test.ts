import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planCog } from '../../cog/plan-cog.ts';
import { writeCogBytes } from '../../cog/testing/write-cog.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openTiff } from '../tiff-reader.ts';

const options = {
  width: 20,
  height: 30,
  bandCount: 1,
  type: 'int16',
  epsg: null,
  sinusoidalRadiusM: 6_371_007.181,
  transform: [-9_082_250.5, 463.3127165279, 0, 5_400_000.25, 0, -463.3127165279],
  nodata: 32_767,
  compression: 'none',
  predictor: 1,
} as const;

test('a sinusoidal image states its CRS and its transform', async () => {
  const bytes = await writeCogBytes(options, [new Int16Array(20 * 30).fill(7)]);
  const tiff = await openTiff(makeMemorySource(bytes));
  assert.equal(tiff.epsg, null);
  assert.equal(tiff.proj, '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs');
  assert.deepEqual(tiff.transform, options.transform);
});

test('a sinusoidal image has a plausible radius and no code', () => {
  for (const wrong of [{ sinusoidalRadiusM: 0 }, { sinusoidalRadiusM: Number.NaN }, { epsg: 32_610 }]) {
    assert.throws(() => planCog({ ...options, ...wrong }), { code: 'bad-sinusoidal' });
  }
});
