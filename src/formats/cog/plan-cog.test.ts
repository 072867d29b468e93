import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { CogOptions } from './plan-cog.ts';
import { checkWidth, planCog } from './plan-cog.ts';

const good: CogOptions = {
  width: 1000,
  height: 700,
  bandCount: 1,
  type: 'uint16',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: 0,
  compression: 'deflate',
  predictor: 2,
};

test('levels halve, rounding up, until one block contains the whole image', () => {
  const sizes = (options: Partial<CogOptions>) =>
    planCog({ ...good, ...options }).levels.map(({ width, height }) => [width, height]);
  assert.deepEqual(sizes({ width: 10_980, height: 10_980 }), [
    [10_980, 10_980],
    [5_490, 5_490],
    [2_745, 2_745],
    [1_373, 1_373],
    [687, 687],
    [344, 344],
  ]);
  assert.deepEqual(sizes({ width: 512, height: 512 }), [[512, 512]]);
  assert.deepEqual(sizes({ width: 513, height: 1 }), [
    [513, 1],
    [257, 1],
  ]);
  assert.deepEqual(sizes({ overviews: 'none' }), [[1000, 700]]);
});

test('one band is always interleaved by pixel', () => {
  assert.equal(planCog({ ...good, interleave: 'band' }).interleave, 'pixel');
});

const square = (side: number) => ({ width: side, height: side });

const refusals: readonly (readonly [string, string, Partial<CogOptions>])[] = [
  ['no width', 'bad-image-size', { width: 0 }],
  ['a fraction of a row', 'bad-image-size', { height: 1.5 }],
  ['a side of 2³¹', 'bad-image-size', { width: 2 ** 31 }],
  ['no band', 'bad-band-count', { bandCount: 0 }],
  ['65 bands', 'bad-band-count', { bandCount: 65 }],
  ['blocks of 100', 'bad-block-size', { blockSize: 100 }],
  ['blocks of 8208', 'bad-block-size', { blockSize: 8_208 }],
  ['deflate level 10', 'bad-level', { level: 10 }],
  ['deflate level 0', 'bad-level', { level: 0 }],
  ['zstd level 23', 'bad-level', { compression: 'zstd', level: 23 }],
  ['predictor 2 for floats', 'bad-predictor', { type: 'float32' }],
  ['predictor 3 for integers', 'bad-predictor', { predictor: 3 }],
  ['predictor 2 without compression', 'bad-predictor', { compression: 'none' }],
  [
    'predictor 3 without compression',
    'bad-predictor',
    { compression: 'none', type: 'float32', predictor: 3 },
  ],
  ['a code no key can hold', 'bad-epsg', { epsg: 900_913 }],
  ['a transform with NaN', 'bad-transform', { transform: [0, Number.NaN, 0, 0, 0, -1] }],
  ['a transform without area', 'bad-transform', { transform: [0, 2, 2, 0, 1, 1] }],
  ['nodata outside the type', 'bad-nodata', { nodata: -9999 }],
  ['nodata NaN for integers', 'bad-nodata', { nodata: Number.NaN }],
  ['colours in two bands', 'bad-colours', { photometric: 'rgb', bandCount: 2 }],
  ['opacity as the only band', 'bad-colours', { alpha: true }],
  ['colours as signed integers', 'bad-colours', { photometric: 'rgb', bandCount: 3, type: 'int16' }],
  ['facts for another number of bands', 'bad-bands', { bands: [{}, {}] }],
  ['an endless scale', 'bad-bands', { bands: [{ scale: Infinity }] }],
  ['a description with a NUL', 'bad-bands', { bands: [{ description: 'a\0b' }] }],
  ['a description with half a character', 'bad-bands', { bands: [{ description: '\ud800' }] }],
  ['a description without end', 'bad-bands', { bands: [{ description: 'x'.repeat(1_001) }] }],
  ['a block over 64 MiB', 'cog-block-too-large', { blockSize: 4_096, bandCount: 3 }],
  [
    'a million blocks and one row',
    'cog-too-many-blocks',
    { ...square(16 * 1024), blockSize: 16, overviews: 'none', height: 16 * 1025 },
  ],
  ['rows of blocks over 512 MiB', 'cog-too-wide', { width: 2 ** 20 + 1, height: 512, overviews: 'none' }],
];

for (const [what, code, options] of refusals) {
  test(`${what} is refused`, () => {
    assert.throws(
      () => checkWidth(planCog({ ...good, ...options })),
      (error) => isSwathError(error) && error.code === code && error.message.endsWith('.'),
    );
  });
}

test('each limit itself is still allowed', () => {
  const { level: _, ...rest } = planCog(good);
  assert.equal(rest.width, 1000);
  for (const options of [
    { bandCount: 64, blockSize: 512 },
    { level: 9 },
    { level: 1 },
    { compression: 'zstd', level: 22 },
    { blockSize: 4_096, bandCount: 2 },
    { ...square(16 * 1024), blockSize: 16, overviews: 'none' },
    { width: 2 ** 19, height: 512, overviews: 'none' },
    { bands: [{ description: 'x'.repeat(1_000) }] },
    { epsg: 1_024 },
  ] as const) {
    assert.doesNotThrow(() => planCog({ ...good, ...options }), JSON.stringify(options));
  }
});
