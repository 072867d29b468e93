import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../../raster/index.ts';
import { putPlanes } from '../../raster/testing/put-planes.ts';
import { casesOf } from '../../testing/test-size.ts';
import { FILTER_REACH_PX, filterHeights } from './filter-heights.ts';
import { filterPlainly } from './testing/plain-reference.ts';

const kernels = loadKernels();

interface Heights {
  readonly values: Float32Array;
  readonly mask: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function filter({ values, mask, width, height }: Heights, stepM = 0) {
  const put = putPlanes(kernels, [values], mask);
  filterHeights(kernels, put.allocate, { valuesAt: put.at[0]!, maskAt: put.maskAt, width, height, stepM });
  return { values: put.plane(0), mask: put.mask(), width, height };
}

function makeHeights(
  sizePx: number,
  heightM: (x: number, y: number) => number,
  isKnown: (x: number, y: number) => boolean = () => true,
): Heights {
  const at = (i: number) => [i % sizePx, Math.floor(i / sizePx)] as const;
  const length = sizePx * sizePx;
  return {
    values: new Float32Array(length).map((_, i) => (isKnown(...at(i)) ? heightM(...at(i)) : -32_768)),
    mask: new Uint8Array(length).map((_, i) => Number(isKnown(...at(i)))),
    width: sizePx,
    height: sizePx,
  };
}

const SIZE_PX = 64;
const slope = (x: number, y: number): number => 200 + 3 * x - 2 * y;
/** Rows and columns at the edge of a plane see it repeated. */
const isInside = (i: number, edgePx = 3): boolean =>
  [i % SIZE_PX, Math.floor(i / SIZE_PX)].every((at) => at >= edgePx && at < SIZE_PX - edgePx);

test('a slope stays unchanged', () => {
  const plane = makeHeights(SIZE_PX, slope);
  const got = filter(plane);
  assert.deepEqual(got.mask, plane.mask);
  for (const [i, value] of got.values.entries()) if (isInside(i)) assert.equal(value, plane.values[i]);
});

test('a spike is removed, upward or downward, also one of two pixels', () => {
  for (const spikeM of [80, -80]) {
    const spiky = makeHeights(
      SIZE_PX,
      (x, y) => slope(x, y) + (y === 30 && (x === 30 || x === 31) ? spikeM : 0),
    );
    const got = filter(spiky);
    for (const [i, value] of got.values.entries()) {
      const wanted = slope(i % SIZE_PX, Math.floor(i / SIZE_PX));
      if (isInside(i)) assert.ok(Math.abs(value - wanted) <= 5, `${value} is not ${wanted}`);
    }
  }
});

test('a spike of three by three pixels is removed, whose middle the 3 × 3 median alone would leave', () => {
  const isSpike = (x: number, y: number) => x >= 20 && x < 23 && y >= 20 && y < 23;
  const got = filter(makeHeights(SIZE_PX, (x, y) => (isSpike(x, y) ? 150 : 100)));
  assert.ok(got.values.every((value) => value === 100));
});

test('a rise of at most 10 m is not a spike', () => {
  const isHill = (x: number, y: number) => x >= 20 && x < 23 && y >= 20 && y < 23;
  const got = filter(makeHeights(SIZE_PX, (x, y) => (isHill(x, y) ? 109 : 100)));
  assert.equal(got.values[21 * SIZE_PX + 21], 109);
});

test('a ridge stays, along rows, columns and diagonals', () => {
  const profile = (offsetPx: number) => 500 - 25 * Math.max(Math.abs(offsetPx) - 1, 0);
  const ridges = [
    (_: number, y: number) => profile(y - 32),
    (x: number) => profile(x - 32),
    (x: number, y: number) => profile((x - y) / Math.SQRT2),
  ];
  for (const ridge of ridges) {
    const got = filter(makeHeights(SIZE_PX, ridge));
    for (const [i, value] of got.values.entries()) {
      if (!isInside(i)) continue;
      const lostM = ridge(i % SIZE_PX, Math.floor(i / SIZE_PX)) - value;
      assert.ok(Math.abs(lostM) <= 10, `${lostM}`);
    }
  }
});

test('a small void is filled from its surroundings', () => {
  const isKnown = (x: number, y: number) => (x - 30) ** 2 + (y - 30) ** 2 > 4.5 ** 2;
  const got = filter(makeHeights(SIZE_PX, slope, isKnown));
  assert.ok(got.mask.every((byte) => byte === 1));
  for (const [i, value] of got.values.entries()) {
    const wanted = slope(i % SIZE_PX, Math.floor(i / SIZE_PX));
    if (isInside(i)) assert.ok(Math.abs(value - wanted) < 10, `${value} is not ${wanted}`);
  }
  // The middle sees all directions alike.
  assert.ok(Math.abs(got.values[30 * SIZE_PX + 30]! - slope(30, 30)) < 0.5);
});

test('filled heights are the mean of known ones, weighted by the inverse square of their distance', () => {
  // Medians do not change what rises from column to column.
  const heightM = (x: number) => (x < 32 ? 100 : 200);
  const isKnown = (x: number) => x < 30 || x > 33;
  const got = filter(makeHeights(SIZE_PX, heightM, isKnown));
  for (let x = 30; x <= 33; x++) {
    let [sum, weights] = [0, 0];
    for (let dy = -8; dy <= 8; dy++) {
      for (let dx = -8; dx <= 8; dx++) {
        const squarePx = dx * dx + dy * dy;
        if (squarePx > 64 || !isKnown(x + dx)) continue;
        sum += heightM(x + dx) / squarePx;
        weights += 1 / squarePx;
      }
    }
    const value = got.values[32 * SIZE_PX + x]!;
    assert.ok(Math.abs(value - sum / weights) < 1e-4, `${value} is not ${sum / weights}`);
  }
});

test('a large void loses at most its corners', () => {
  const isKnown = (x: number, y: number) => Math.max(Math.abs(x - 32), Math.abs(y - 32)) > 20;
  const plane = makeHeights(SIZE_PX, slope, isKnown);
  const got = filter(plane);
  for (const [i, byte] of got.mask.entries()) {
    const [x, y] = [Math.abs((i % SIZE_PX) - 32), Math.abs(Math.floor(i / SIZE_PX) - 32)];
    if (x + y < 32 || Math.max(x, y) > 20) assert.equal(byte, plane.mask[i], `${i}`);
  }
});

test('an unknown sea does not shrink, whatever its coast', () => {
  for (let degrees = 0; degrees < 360; degrees += 7.5) {
    const radians = (degrees * Math.PI) / 180;
    const isKnown = (x: number, y: number) =>
      (x - 31.7) * Math.cos(radians) + (y - 32.2) * Math.sin(radians) < 0;
    const plane = makeHeights(SIZE_PX, slope, isKnown);
    const got = filter(plane, 1);
    assert.deepEqual(got.mask, plane.mask, `${degrees}`);
    for (const [i, value] of got.values.entries()) if (got.mask[i] === 0) assert.equal(value, -32_768);
  }
});

test('ground without any known height stays unknown, and a single known pixel stays unchanged', () => {
  const none = makeHeights(SIZE_PX, slope, () => false);
  assert.deepEqual(filter(none, 1), none);
  const one = makeHeights(SIZE_PX, slope, (x, y) => x === 9 && y === 33);
  assert.deepEqual(filter(one, 1), one);
});

test('whole-metre steps get smaller, and nothing moves by more than half a step', () => {
  for (const riseM of [0.08, 0.15, 0.4, 1.2]) {
    const truth = (x: number, y: number) => 700 + riseM * (0.9 * x + 0.4 * y) + 2 * riseM * Math.sin(x / 9);
    const stairs = makeHeights(SIZE_PX, (x, y) => Math.round(truth(x, y)));
    const [plain, smooth] = [filter(stairs), filter(stairs, 1)];
    const errorOf = ({ values }: Heights) => {
      let [sum, count] = [0, 0];
      for (const [i, value] of values.entries()) {
        if (!isInside(i, 14)) continue;
        sum += (value - truth(i % SIZE_PX, Math.floor(i / SIZE_PX))) ** 2;
        count++;
      }
      return Math.sqrt(sum / count);
    };
    assert.ok(errorOf(stairs) > 0.25 && errorOf(plain) > 0.25);
    assert.ok(errorOf(smooth) < 0.5 * errorOf(stairs), `${riseM}: ${errorOf(smooth)}`);
    for (const [i, value] of smooth.values.entries())
      assert.ok(Math.abs(value - plain.values[i]!) <= 0.5, `${value} was ${plain.values[i]}`);
  }
});

test('larger steps are smoothed in proportion', () => {
  const inMetres = makeHeights(SIZE_PX, (x, y) => Math.round(0.2 * x + 0.1 * y));
  const inFours = { ...inMetres, values: inMetres.values.map((value) => 4 * value) };
  assert.deepEqual(
    filter(inFours, 4).values,
    filter(inMetres, 1).values.map((value) => 4 * value),
  );
});

/** Waves with spikes, steps, small voids and a large unknown region; always the same for a seed. */
function makeRough(width: number, height: number, seed: number): Heights {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const [coast, voids, spikes] = [random() * width * 1.5, 0.3 * random(), 0.1 * random()];
  const mask = new Uint8Array(width * height);
  const values = new Float32Array(width * height).map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    mask[i] = Number(x + 0.3 * y < coast && random() > voids);
    const waveM = 40 * Math.sin(x / 11) * Math.cos(y / 7) - 20;
    return Math.round(waveM + (random() < spikes ? 300 * (random() - 0.5) : 0));
  });
  return { values, mask, width, height };
}

test('property: the filter equals its description, pixel by pixel', () => {
  const sizes = fc.record({
    seed: fc.nat(),
    width: fc.integer({ min: 1, max: 27 }),
    height: fc.integer({ min: 1, max: 21 }),
    stepM: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(sizes, ({ seed, width, height, stepM }) => {
      const plane = makeRough(width, height, seed);
      const values = [...plane.values].map((heightM, i) => (plane.mask[i] === 1 ? heightM : Number.NaN));
      const wanted = filterPlainly({ values, width, height }, stepM).values;
      const got = filter(plane, stepM);
      for (const [i, heightM] of wanted.entries()) {
        assert.equal(got.mask[i], Number(!Number.isNaN(heightM)), `${i}`);
        if (got.mask[i] === 0) assert.equal(got.values[i], plane.values[i]);
        else assert.ok(Math.abs(got.values[i]! - heightM) < 1e-3, `${got.values[i]} is not ${heightM}`);
      }
    }),
    { numRuns: casesOf(100) },
  );
});

test('property: a window with a margin of the reach has the same heights as the whole, bit by bit', () => {
  const sizes = fc.record({
    seed: fc.nat(),
    left: fc.nat(9),
    top: fc.nat(9),
    width: fc.integer({ min: 1, max: 19 }),
    height: fc.integer({ min: 1, max: 19 }),
    // With steps larger than the hills nothing limits how far a height spreads.
    stepM: fc.constantFrom(0, 1, 1000),
  });
  fc.assert(
    fc.property(sizes, ({ seed, left, top, width, height, stepM }) => {
      const whole = makeRough(2 * FILTER_REACH_PX + 40, 2 * FILTER_REACH_PX + 35, seed);
      const window = { width: width + 2 * FILTER_REACH_PX, height: height + 2 * FILTER_REACH_PX };
      const cut = <T extends Float32Array | Uint8Array>(plane: T, marginPx: number): number[] => {
        const cells: number[] = [];
        for (let y = marginPx; y < window.height - marginPx; y++) {
          const from = (top + y) * whole.width + left;
          cells.push(...plane.subarray(from + marginPx, from + window.width - marginPx));
        }
        return cells;
      };
      const part = filter(
        {
          values: Float32Array.from(cut(whole.values, 0)),
          mask: Uint8Array.from(cut(whole.mask, 0)),
          ...window,
        },
        stepM,
      );
      const filtered = filter(whole, stepM);
      const inside = (plane: Float32Array | Uint8Array) =>
        [...plane].filter((_, i) => {
          const [x, y] = [i % window.width, Math.floor(i / window.width)];
          const isIn = (at: number, size: number) => at >= FILTER_REACH_PX && at < size - FILTER_REACH_PX;
          return isIn(x, window.width) && isIn(y, window.height);
        });
      assert.deepEqual(inside(part.mask), cut(filtered.mask, FILTER_REACH_PX));
      assert.deepEqual(inside(part.values), cut(filtered.values, FILTER_REACH_PX));
    }),
    { numRuns: casesOf(60) },
  );
});
