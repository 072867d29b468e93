import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { OverviewMethod } from './plan-cog.ts';
import { makeBandsReducer, makeRowReducer } from './row-reducer.ts';

interface Halve {
  readonly method?: OverviewMethod;
  readonly type?: PixelType;
  readonly nodata?: number | null;
}

/** Rows of the smaller copy of an image given as rows. */
function halve(
  rows: number[][],
  { method = 'average', type = 'float32', nodata = null }: Halve = {},
): number[][] {
  const width = rows[0]!.length;
  const source = makePixels(type, width * rows.length);
  source.set(rows.flat());
  const reducer = makeRowReducer(method, { type, nodata, width, height: rows.length });
  const out: number[][] = [];
  for (let row = 0; row < rows.length; row++) {
    const made = reducer.push(source, row * width);
    if (made !== null) out.push([...made]);
  }
  return out;
}

test('four pixels become their mean', () => {
  assert.deepEqual(
    halve([
      [1, 3, 10, 10],
      [5, 7, 10, 30],
    ]),
    [[4, 15]],
  );
});

test('integers are rounded, halves away from zero', () => {
  assert.deepEqual(
    halve(
      [
        [1, 2],
        [1, 2],
      ],
      { type: 'uint8' },
    ),
    [[2]],
  );
  assert.deepEqual(
    halve(
      [
        [-1, -2],
        [-1, -2],
      ],
      { type: 'int16' },
    ),
    [[-2]],
  );
  assert.deepEqual(
    halve(
      [
        [1, 1],
        [1, 2],
      ],
      { type: 'uint16' },
    ),
    [[1]],
  );
});

test('odd sides are divided so that both copies cover the same ground', () => {
  // 3 pixels on 2: each takes one and a half
  assert.deepEqual(halve([[0, 3, 6]]), [[1, 5]]);
  assert.deepEqual(halve([[0], [3], [6]]), [[1], [5]]);
  // 5 on 3: 5/3 pixels each, the middle one with two thirds, one and nothing more than that on each side
  assert.deepEqual(halve([[0, 0, 9, 0, 0]], { type: 'uint8' }), [[0, 5, 0]]);
});

test('one row or one column stays one', () => {
  assert.deepEqual(halve([[2, 4, 6, 8]]), [[3, 7]]);
  assert.deepEqual(halve([[2], [4]]), [[3]]);
});

test('the area-weighted mean of all smaller pixels is the mean of all pixels', () => {
  const rows = Array.from({ length: 7 }, (_, y) => Array.from({ length: 9 }, (_, x) => x * x + 3 * y));
  const mean = (of: number[][]) => of.flat().reduce((a, b) => a + b) / of.flat().length;
  assert.ok(Math.abs(mean(halve(rows)) - mean(rows)) < 1e-5);
});

for (const width of [4, 3]) {
  const padded = (...row: number[]) => (width === 4 ? [...row, 0, 0] : [...row, 0]);

  test(`pixels without data are ignored, ${width} wide`, () => {
    const [[first]] = halve([padded(0, 4), padded(0, 8)], { type: 'uint8', nodata: 0 }) as [[number]];
    assert.equal(first, 6);
  });

  test(`pixels without any data stay without data, ${width} wide`, () => {
    const rows = [padded(0, 0), padded(0, 0)];
    assert.ok(halve(rows, { type: 'int16', nodata: 0 })[0]!.every((value) => value === 0));
  });

  test(`NaN never counts as a measurement, ${width} wide`, () => {
    const rows = [padded(Number.NaN, 5), padded(Number.NaN, 5)];
    assert.equal(halve(rows, { nodata: -1 })[0]![0], 5);
    assert.equal(halve(rows, { nodata: null })[0]![0], 5);
    const nothing = [padded(Number.NaN, Number.NaN), padded(Number.NaN, Number.NaN)];
    assert.equal(halve(nothing, { nodata: -1 })[0]![0], -1);
    assert.ok(Number.isNaN(halve(nothing, { nodata: null })[0]![0]));
  });
}

test('a mean that equals the nodata value becomes the next value', () => {
  assert.deepEqual(
    halve(
      [
        [4, 6],
        [4, 6],
      ],
      { type: 'uint8', nodata: 5 },
    ),
    [[6]],
  );
  assert.deepEqual(
    halve(
      [
        [254, 254],
        [254, 254],
      ],
      { type: 'uint8', nodata: 255 },
    ),
    [[254]],
  );
  assert.deepEqual(
    halve(
      [
        [32_766, 32_766],
        [32_766, 32_766],
      ],
      { type: 'int16', nodata: 32_767 },
    ),
    [[32_766]],
  );
  assert.deepEqual(
    halve(
      [
        [-1, 1],
        [-1, 1],
      ],
      { nodata: 0 },
    ),
    [[2 ** -149]],
  );
  const [[mean]] = halve(
    [
      [4, 6],
      [4, 6],
    ],
    { nodata: 5 },
  ) as [[number]];
  assert.ok(mean !== 5 && Math.abs(mean - 5) < 1e-6);
});

test('nearest uses real values only, at the corners GDAL chooses', () => {
  const rows = [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
    [9, 10, 11, 12],
    [13, 14, 15, 16],
  ];
  assert.deepEqual(halve(rows, { method: 'nearest', type: 'uint8' }), [
    [1, 3],
    [9, 11],
  ]);
  assert.deepEqual(halve([[1, 2, 3]], { method: 'nearest' }), [[1, 3]]);
  assert.deepEqual(halve([[1, 2, 3, 4, 5]], { method: 'nearest' }), [[1, 3, 4]]);
});

for (const height of [1, 2, 3, 6, 7, 13]) {
  test(`bands with different methods get the same rows as each alone: ${height} rows`, () => {
    const width = 5;
    const methods: readonly OverviewMethod[] = ['average', 'nearest'];
    const input = { type: 'float32', nodata: null, width, height } as const;
    const bands = methods.map((_, band) => new Float32Array(width * height).map((_, i) => i * i + band));
    const together = makeBandsReducer(methods, input);
    const made: number[][][] = methods.map(() => []);
    for (let row = 0; row < height; row++) {
      const rows = together.push(bands, row * width);
      for (const [band, pixels] of (rows ?? []).entries()) made[band]!.push([...pixels]);
    }
    const alone = methods.map((method, band) => {
      const reducer = makeRowReducer(method, input);
      return Array.from({ length: height }, (_, row) => reducer.push(bands[band]!, row * width)?.slice())
        .filter((pixels) => pixels !== undefined)
        .map((pixels) => [...pixels]);
    });
    assert.deepEqual(made, alone);
    assert.equal(made[0]!.length, Math.ceil(height / 2));
  });
}
