import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../../raster/index.ts';
import { putPlanes } from '../../raster/testing/put-planes.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeIndexDetailSums, sharpenBand, sharpenComposite, sharpenIndex } from './pansharpen.ts';

const kernels = loadKernels();
/** Float32 numbers computed in a few steps: science-vectors.json requires 2e-7. */
const isClose = (got: number, wanted: number, scale = Math.abs(wanted)) =>
  Object.is(got, wanted) || Math.abs(got - wanted) <= 4e-7 * scale;
const ones = (length: number) => new Uint8Array(length).fill(1);

interface Composite {
  readonly bands: readonly (readonly number[])[];
  readonly pan: readonly number[];
  readonly weights?: readonly number[];
  readonly mask?: Uint8Array;
  readonly limits?: { readonly min: number; readonly max: number };
}

function composite({ bands, pan, weights = [0.52, 0.25, 0.23], mask = ones(pan.length), limits }: Composite) {
  const put = putPlanes(
    kernels,
    [pan, ...bands].map((plane) => Float32Array.from(plane)),
    mask,
  );
  const [panAt, ...bandsAt] = put.at as [number, ...number[]];
  const { maskAt, count } = put;
  sharpenComposite(kernels, put.allocate, { bandsAt, weights, panAt, maskAt, count, limits: limits ?? null });
  return { bands: bands.map((_, i) => put.plane(i + 1)), mask: put.mask(), pan: put.plane(0) };
}

test('Landsat 8 with the weights of docs/use/pansharpening.md matches a vector computed by hand', () => {
  const weights = sensorByAbbreviation('L8')!.pansharpening?.compositeWeights;
  assert.deepEqual(weights, [0.52, 0.25, 0.23]);
  const { bands } = composite({ bands: [[9000], [8500], [8200]], pan: [9600], weights });
  const wanted = [9941.318605453918, 9389.023127373144, 9057.645840524681];
  for (const [i, value] of wanted.entries()) assert.ok(isClose(bands[i]![0]!, value), `${bands[i]![0]}`);
});

test('the weights belong to the first, second and third requested band', () => {
  const { bands } = composite({ bands: [[8200], [8500], [9000]], pan: [9600] });
  const ratio = 9600 / (0.52 * 8200 + 0.25 * 8500 + 0.23 * 9000);
  assert.ok(isClose(bands[0]![0]!, 8200 * ratio) && isClose(bands[2]![0]!, 9000 * ratio));
});

test('the weights of rio-pansharpen can be used', () => {
  const weights = [1 / 2.2, 1 / 2.2, 0.2 / 2.2];
  const { bands } = composite({ bands: [[9000], [8500], [8200]], pan: [9600], weights });
  for (const [i, wanted] of [9931.03, 9379.31, 9048.28].entries())
    assert.ok(Math.abs(bands[i]![0]! - wanted) < 0.006, `${bands[i]![0]}`);
});

test('bands that add up to zero are masked, masked pixels are unchanged, results stay in the range of the type', () => {
  const { bands, mask } = composite({
    bands: [
      [100, 0, 5, 60_000, 1],
      [100, 0, 5, 60_000, 1],
      [100, 0, 5, 60_000, 1],
    ],
    pan: [200, 9, 7, 65_000, 3],
    mask: Uint8Array.of(1, 1, 0, 1, 1),
    limits: { min: 0, max: 64_000 },
  });
  assert.deepEqual([...mask], [1, 0, 0, 1, 1]);
  for (const band of bands) {
    assert.ok(isClose(band[0]!, 200));
    assert.equal(band[2], 5);
    assert.equal(band[3], 64_000);
    assert.ok(isClose(band[4]!, 3));
  }
});

test('a composite keeps NaN as NaN, also with limits', () => {
  const bands = [[Number.NaN], [1], [1]];
  const { bands: got } = composite({ bands, pan: [2], limits: { min: 0, max: 255 } });
  assert.ok(got.every((band) => Number.isNaN(band[0])));
});

test('there must be as many weights as bands', () => {
  assert.throws(() => composite({ bands: [[1]], pan: [1] }), { code: 'pan-weights' });
});

interface Pixel {
  readonly value: number;
  readonly pan: number;
  readonly low: number;
  readonly isData: boolean;
}

function pixelwise(pixels: readonly Pixel[], detail: { amount: number; min: number; max: number } | null) {
  const planes = (['value', 'pan', 'low'] as const).map((name) => Float32Array.from(pixels, (p) => p[name]));
  const put = putPlanes(
    kernels,
    planes,
    Uint8Array.from(pixels, ({ isData }) => Number(isData)),
  );
  const [valuesAt, panAt, lowAt] = put.at as [number, number, number];
  const { maskAt, count } = put;
  if (detail === null) sharpenBand(kernels, valuesAt, { panAt, lowAt, maskAt, count });
  else sharpenIndex(kernels, valuesAt, { panAt, lowAt, maskAt, count, detail });
  return put.plane(0);
}

const one = (value: number, pan: number, low: number, isData = true): Pixel => ({ value, pan, low, isData });

test('a band gets detail in proportion to its brightness', () => {
  const got = pixelwise(
    [one(1000, 110, 100), one(2000, 90, 100), one(7, 50, 50), one(7, 60, 50, false)],
    null,
  );
  for (const [i, wanted] of [1100, 1800, 7, 7].entries()) assert.ok(isClose(got[i]!, wanted), `${got}`);
});

test('where the local mean is zero there is no detail', () => {
  const pixels = [one(0.5, 3, 0), one(0.25, 0, 0)];
  assert.deepEqual([...pixelwise(pixels, null)], [0.5, 0.25]);
  assert.deepEqual([...pixelwise(pixels, { amount: 1, min: 0, max: 1 })], [0.5, 0.25]);
});

test('an index gets detail added, within its range, and values outside it are unchanged', () => {
  const detail = { amount: 0.5, min: -0.2, max: 0.8 };
  const pixels = [one(0.3, 120, 100), one(0.75, 200, 100), one(-0.15, 0, 100), one(0.9, 150, 100)];
  const got = pixelwise([...pixels, one(0.9, 50, 100), one(0.3, 120, 100, false)], detail);
  for (const [i, wanted] of [0.4, 0.8, -0.2, 0.9, 0.65, 0.3].entries())
    assert.ok(Math.abs(got[i]! - wanted) < 1e-7, `${got}`);
});

test('NaN stays NaN and infinities stay infinite', () => {
  const pixels = [
    one(Number.NaN, 2, 1),
    one(Number.POSITIVE_INFINITY, 2, 1),
    one(Number.NEGATIVE_INFINITY, 2, 1),
  ];
  const wanted = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  assert.deepEqual([...pixelwise(pixels, null)], wanted);
  assert.deepEqual([...pixelwise(pixels, { amount: 1, min: -1, max: 1 })], wanted);
});

const number = fc.integer({ min: 0, max: 65_535 });

test('property: composites of any size equal the formula, pixel by pixel', () => {
  const pixel = fc.tuple(number, number, number, number, fc.boolean());
  fc.assert(
    fc.property(fc.array(pixel, { minLength: 1, maxLength: 30 }), (pixels) => {
      const bands = [0, 1, 2].map((j) => pixels.map((one) => one[j] as number));
      const mask = Uint8Array.from(pixels, (one) => Number(one[4]));
      const got = composite({ bands, pan: pixels.map((one) => one[3]), mask });
      for (const [i, [r, g, b, pan, isData]] of pixels.entries()) {
        const sum = 0.52 * r + 0.25 * g + 0.23 * b;
        const isSharp = isData && sum !== 0;
        assert.equal(got.mask[i], Number(isSharp));
        for (const [j, value] of [r, g, b].entries()) {
          const wanted = isSharp ? (value * pan) / sum : value;
          assert.ok(isClose(got.bands[j]![i]!, wanted), `${got.bands[j]![i]} is not ${wanted}`);
        }
      }
    }),
    { numRuns: casesOf(150) },
  );
});

test('property: pixelwise sharpening equals the formula, and a part of a picture equals the whole', () => {
  const pixel = fc.record({ value: number, pan: number, low: number, isData: fc.boolean() });
  fc.assert(
    fc.property(fc.array(pixel, { minLength: 1, maxLength: 30 }), fc.nat(), (pixels, seed) => {
      const detail = { amount: 300, min: 100, max: 60_000 };
      const [bands, indices] = [pixelwise(pixels, null), pixelwise(pixels, detail)];
      for (const [i, { value, pan, low, isData }] of pixels.entries()) {
        const above = low === 0 || !isData ? 0 : pan / low - 1;
        // The detail is a difference: its error is relative to the ratio, not to the difference.
        const scale = 1 + (low === 0 ? 0 : pan / low);
        assert.ok(isClose(bands[i]!, value * (1 + above), value * scale));
        const within = Math.min(Math.max(60_000, value), Math.max(Math.min(100, value), value + 300 * above));
        assert.ok(isClose(indices[i]!, within, value + 300 * scale));
      }
      const from = seed % pixels.length;
      assert.deepEqual(pixelwise(pixels.slice(from), null), bands.slice(from));
      assert.deepEqual(pixelwise(pixels.slice(from), detail), indices.slice(from));
    }),
    { numRuns: casesOf(150) },
  );
});

test('the detail of an index is measured by its spread, in any order of parts', () => {
  const index = Float32Array.of(0.2, 0.4, 0.6, 0.8);
  const [pan, low] = [Float32Array.of(110, 90, 110, 90), new Float32Array(4).fill(100)];
  const whole = makeIndexDetailSums();
  whole.add({ index, pan, low, mask: null });
  const found = whole.finish()!;
  // Deviations: 0.2236068 of the index, 0.1 of the detail; half of their ratio.
  assert.ok(Math.abs(found.amount - (0.5 * Math.sqrt(0.05)) / 0.1) < 1e-6, `${found.amount}`);
  assert.deepEqual([found.min, found.max], [index[0], index[3]]);
  const parts = makeIndexDetailSums();
  for (const [from, end] of [
    [2, 4],
    [0, 2],
  ] as const) {
    const cut = (plane: Float32Array) => plane.slice(from, end);
    parts.add({ index: cut(index), pan: cut(pan), low: cut(low), mask: ones(2) });
  }
  assert.deepEqual(parts.finish(), found);
});

test('pixels without data or without an index do not count for its detail', () => {
  const sums = makeIndexDetailSums();
  const index = Float32Array.of(0.2, Number.NaN, 0.9, 0.4);
  const [pan, low] = [Float32Array.of(110, 900, 900, 90), new Float32Array(4).fill(100)];
  sums.add({ index, pan, low, mask: Uint8Array.of(1, 1, 0, 1) });
  const { amount, max } = sums.finish()!;
  assert.ok(Math.abs(amount - 0.5) < 1e-6 && max === Math.fround(0.4), `${amount} ${max}`);
});

test('no data gives no detail, a flat panchromatic band adds none, sizes must agree', () => {
  const plane = new Float32Array(4).fill(1);
  const sums = makeIndexDetailSums();
  assert.equal(sums.finish(), null);
  sums.add({ index: Float32Array.of(0, 1, 0, 1), pan: plane, low: plane, mask: null });
  assert.deepEqual(sums.finish(), { amount: 0, min: 0, max: 1 });
  const short = new Float32Array(3);
  assert.throws(() => sums.add({ index: plane, pan: short, low: plane, mask: null }), { code: 'pan-planes' });
});
