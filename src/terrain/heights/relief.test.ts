import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import type { ReliefLight, ReliefPlane } from './relief.ts';
import { aspectRelief, shadeRelief, slopeRelief } from './relief.ts';
import type { ReliefHeights } from './testing/plain-reference.ts';
import { reliefPixel } from './testing/plain-reference.ts';

const kernels = loadKernels();
const NORTH_WEST: ReliefLight = { azimuthDeg: 315, altitudeDeg: 45 };

/** All three planes; `allKnown` passes no mask. Slopes and aspects of voids are NaN. */
function compute(source: ReliefHeights, { light = NORTH_WEST, allKnown = false } = {}) {
  const { heights, mask, width, height, pixelWidthsM, pixelHeightsM } = source;
  const allocate = kernels.begin();
  const heightsAt = allocate(heights.byteLength);
  const maskAt = allocate(mask.length);
  new Float32Array(kernels.buffer(), heightsAt, heights.length).set(heights);
  new Uint8Array(kernels.buffer(), maskAt, mask.length).set(mask);
  const relief = { heightsAt, maskAt: allKnown ? 0 : maskAt, width, height, pixelWidthsM, pixelHeightsM };
  const shadesAt = shadeRelief(kernels, allocate, relief, light);
  const slope = slopeRelief(kernels, allocate, relief);
  const aspect = aspectRelief(kernels, allocate, relief);
  const count = width * height;
  const toValues = (plane: ReliefPlane) => {
    const known = new Uint8Array(kernels.buffer(), plane.maskAt, count);
    assert.ok(known.every((byte) => byte <= 1));
    return new Float32Array(kernels.buffer(), plane.valuesAt, count).map((value, i) =>
      known[i] === 0 ? Number.NaN : value,
    );
  };
  return {
    shades: new Uint8Array(kernels.buffer(), shadesAt, count).slice(),
    slopes: toValues(slope),
    aspects: toValues(aspect),
  };
}

/** One pixel with its neighbours, all known. */
const windowOf = (heights: readonly number[], pixelM: number): ReliefHeights => ({
  heights: Float32Array.from(heights),
  mask: new Uint8Array(9).fill(1),
  width: 1,
  height: 1,
  pixelWidthsM: Float64Array.of(pixelM),
  pixelHeightsM: Float64Array.of(pixelM),
});

/** Metres of a map pixel at zoom 12. */
const zoom12M = (latitudeDeg: number): number =>
  (156_543.03392804097 * Math.cos((latitudeDeg * Math.PI) / 180)) / 2 ** 12;

// `hillside` and `shaded` are the worked examples of Esri's manuals for hillshade and slope.
const gentle = [100, 103, 107, 101, 104, 108, 103, 106, 110];
const windows: readonly [name: string, heights: number[], pixelM: number, slopeDeg: number, shade: number][] =
  [
    ['level', [7, 7, 7, 7, 7, 7, 7, 7, 7], 30, 0, 181],
    ['hillside', [2450, 2461, 2483, 2452, 2461, 2483, 2447, 2455, 2477], 5, 72.4855, 154],
    ['shaded', [50, 45, 50, 30, 30, 30, 8, 10, 10], 5, 75.2577, 1],
    ['north is high', [30, 30, 30, 0, 0, 0, -30, -30, -30], 30, 45, 38],
    ['south is high', [-30, -30, -30, 0, 0, 0, 30, 30, 30], 30, 45, 218],
    ['east is high', [0, 10, 20, 0, 10, 20, 0, 10, 20], 10, 45, 218],
    ['west is high', [20, 10, 0, 20, 10, 0, 20, 10, 0], 10, 45, 38],
    ['zoom 12 on the equator', gentle, zoom12M(0), 5.6899, 196],
    ['zoom 12 at 50°', gentle, zoom12M(50), 8.811, 204],
  ];

for (const [name, heights, pixelM, slopeDeg, shade] of windows) {
  test(`a window matches values computed by hand: ${name}`, () => {
    const { slopes, shades } = compute(windowOf(heights, pixelM), { allKnown: true });
    assert.ok(Math.abs(slopes[0]! - slopeDeg) < 1e-4, `${slopes[0]}`);
    assert.equal(shades[0], shade);
  });
}

test('aspect is the direction in which the ground falls, clockwise from north; level ground has none', () => {
  const aspectOf = (heights: readonly number[]) => compute(windowOf(heights, 30)).aspects[0];
  const planes = [0, 45, 90, 135, 180, 225, 270, 315].map((degrees) => {
    const radians = (degrees * Math.PI) / 180;
    const [east, north] = [Math.round(Math.sin(radians) * 2), Math.round(Math.cos(radians) * 2)];
    return Array.from({ length: 9 }, (_, i) => 500 - east * ((i % 3) - 1) + north * (Math.floor(i / 3) - 1));
  });
  assert.deepEqual(planes.map(aspectOf), [0, 45, 90, 135, 180, 225, 270, 315]);
  assert.deepEqual(aspectOf([4, 4, 4, 4, 9, 4, 4, 4, 4]), Number.NaN);
});

test('aspect never rounds to 360', () => {
  // Falls to the north, and by a ten millionth of that to the west.
  const { aspects } = compute(windowOf([0, 0, 0, 4096, 4096.001, 4096.002, 8192, 8192, 8192], 30));
  assert.ok(aspects[0]! < 360, `${aspects[0]}`);
});

test('under vertical light level ground is brightest, and under light from the horizon it is dark', () => {
  const level = windowOf(
    Array.from({ length: 9 }, () => 100),
    30,
  );
  const above = { azimuthDeg: 0, altitudeDeg: 90 };
  assert.equal(compute(level, { light: above }).shades[0], 255);
  const slope = windowOf([0, 10, 20, 0, 10, 20, 0, 10, 20], 10);
  assert.equal(compute(slope, { light: above }).shades[0], Math.round(1 + 254 * Math.SQRT1_2));
  assert.equal(compute(level, { light: { azimuthDeg: 77, altitudeDeg: 0 } }).shades[0], 1);
});

test('centimetres matter at 8000 m', () => {
  const heights = [8000, 8000.01, 8000.02, 8000, 8000.01, 8000.02, 8000, 8000.01, 8000.02];
  const source = windowOf(heights, 1);
  const { slopes, aspects } = compute(source);
  const wanted = reliefPixel(source, { x: 0, y: 0 }, NORTH_WEST)!;
  assert.ok(Math.abs(slopes[0]! - wanted.slopeDeg) < 1e-6, `${slopes[0]} is not ${wanted.slopeDeg}`);
  assert.equal(aspects[0], 270);
});

test('every row has its own pixel size', () => {
  const [width, height] = [3, 4];
  const plane: ReliefHeights = {
    heights: new Float32Array((width + 2) * (height + 2)).map((_, i) => 10 * (i % (width + 2))),
    mask: new Uint8Array((width + 2) * (height + 2)).fill(1),
    width,
    height,
    pixelWidthsM: Float64Array.of(10, 20, 40, 80),
    pixelHeightsM: Float64Array.of(1, 1, 1, 1),
  };
  const { slopes } = compute(plane);
  for (const [y, rise] of [1, 0.5, 0.25, 0.125].entries()) {
    const wanted = (Math.atan(rise) * 180) / Math.PI;
    for (let x = 0; x < width; x++) assert.ok(Math.abs(slopes[y * width + x]! - wanted) < 1e-5);
  }
});

test('an unknown height makes the pixels around it void, and only those', () => {
  const [width, height] = [37, 9];
  const stride = width + 2;
  const heights = new Float32Array(stride * (height + 2)).map((_, i) => (i * i) % 97);
  const sizesM = new Float64Array(height).fill(30);
  const rows = { width, height, pixelWidthsM: sizesM, pixelHeightsM: sizesM };
  for (let hole = 0; hole < heights.length; hole += 5) {
    const mask = new Uint8Array(heights.length).fill(1);
    mask[hole] = 0;
    const masked = compute({ heights, mask, ...rows });
    const nan = heights.map((heightM, i) => (i === hole ? Number.NaN : heightM));
    const unmasked = compute({ heights: nan, mask, ...rows }, { allKnown: true });
    const [x, y] = [(hole % stride) - 1, Math.floor(hole / stride) - 1];
    for (const { shades, slopes } of [masked, unmasked]) {
      for (const [i, shade] of shades.entries()) {
        const isNear = Math.abs((i % width) - x) <= 1 && Math.abs(Math.floor(i / width) - y) <= 1;
        assert.equal(shade === 0, isNear);
        assert.equal(Number.isNaN(slopes[i]), isNear);
      }
    }
  }
});

test('there must be as many pixel sizes as rows', () => {
  const source = { ...windowOf(gentle, 30), pixelHeightsM: Float64Array.of(30, 30) };
  assert.throws(() => compute(source), { code: 'relief-rows' });
});

/** Heights of plains, mountains and nonsense: a base, and differences of some size. */
const anyHeights = (length: number) =>
  fc
    .tuple(
      fc.constantFrom(0, -400, 250, 8000),
      fc.constantFrom(0, 0.02, 1, 60, 3000),
      fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: length, maxLength: length }),
    )
    .map(([baseM, reliefM, parts]) => Float32Array.from(parts, (part) => baseM + reliefM * (part / 1e6)));

const anyRelief = fc
  .tuple(fc.integer({ min: 1, max: 21 }), fc.integer({ min: 1, max: 5 }))
  .chain(([width, height]): fc.Arbitrary<ReliefHeights> => {
    const count = (width + 2) * (height + 2);
    const sizes = fc
      .array(fc.double({ min: 0.5, max: 3000, noNaN: true }), { minLength: height, maxLength: height })
      .map((sizesM) => Float64Array.from(sizesM));
    return fc.record({
      heights: anyHeights(count),
      mask: fc
        .array(fc.integer({ min: 0, max: 40 }), { minLength: count, maxLength: count })
        .map((numbers) => Uint8Array.from(numbers, (number) => Number(number > 0))),
      width: fc.constant(width),
      height: fc.constant(height),
      pixelWidthsM: sizes,
      pixelHeightsM: sizes,
    });
  });

test('property: the relief equals the formulas in float64, for every size', () => {
  const anyLight = fc.record({
    azimuthDeg: fc.integer({ min: 0, max: 360 }),
    altitudeDeg: fc.integer({ min: 0, max: 90 }),
  });
  fc.assert(
    fc.property(anyRelief, anyLight, (source, light) => {
      const got = compute(source, { light });
      for (let i = 0; i < source.width * source.height; i++) {
        const [x, y] = [i % source.width, Math.floor(i / source.width)];
        const wanted = reliefPixel(source, { x, y }, light);
        assert.equal(got.shades[i] === 0, wanted === null);
        assert.equal(Number.isNaN(got.slopes[i]), wanted === null);
        assert.equal(Number.isNaN(got.aspects[i]), wanted === null || wanted.aspectDeg === null);
        if (wanted === null) continue;
        // The next whole number only where rounding is nearly a tie.
        const apart = Math.abs(got.shades[i]! - wanted.shade);
        assert.ok(apart <= 0.5 + 1e-4, `${got.shades[i]} is not ${wanted.shade}`);
        assert.ok(
          Math.abs(got.slopes[i]! - wanted.slopeDeg) < 2e-5,
          `${got.slopes[i]} is not ${wanted.slopeDeg}`,
        );
        if (wanted.aspectDeg === null) continue;
        const turn = Math.abs(got.aspects[i]! - wanted.aspectDeg);
        assert.ok(Math.min(turn, 360 - turn) < 5e-5, `${got.aspects[i]} is not ${wanted.aspectDeg}`);
        assert.ok(got.aspects[i]! < 360);
      }
    }),
    { numRuns: casesOf(300) },
  );
});

test('property: a part of a relief equals the whole, bit by bit', () => {
  fc.assert(
    fc.property(anyRelief, fc.nat(), (source, seed) => {
      const from = seed % source.width;
      const [stride, width] = [source.width + 2, source.width - from];
      const cut = <T extends Float32Array | Uint8Array>(plane: T) =>
        plane.filter((_: number, i: number) => i % stride >= from) as T;
      const whole = compute(source);
      const part = compute({ ...source, heights: cut(source.heights), mask: cut(source.mask), width });
      const cutResult = <T extends Float32Array | Uint8Array>(plane: T) =>
        plane.filter((_: number, i: number) => i % source.width >= from) as T;
      assert.deepEqual(part.shades, cutResult(whole.shades));
      assert.deepEqual(part.slopes, cutResult(whole.slopes));
      assert.deepEqual(part.aspects, cutResult(whole.aspects));
    }),
    { numRuns: casesOf(100) },
  );
});
