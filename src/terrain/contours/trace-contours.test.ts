import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import { casesOf } from '../../testing/test-size.ts';
import type { ContourLine } from './contour-line.ts';
import { isClosed } from './contour-line.ts';
import type { HeightGrid } from './sort-cells.ts';
import { areaOf, makeHeightGrid, parseHeightGrid, toPairs, toSegments } from './testing/contour-grid.ts';
import { traceContours } from './trace-contours.ts';

const trace = (grid: HeightGrid, intervalM: number): ContourLine[] =>
  traceContours(grid, { intervalM, maxPoints: 1_000_000 });
const pairsOf = (lines: readonly ContourLine[]) => lines.map(({ points }) => toPairs(points));

test('a cone has one ring per height, of the right radius, clockwise around the higher ground', () => {
  const lines = trace(
    makeHeightGrid(101, 101, (x, y) => 500 - 10 * Math.hypot(x - 50, y - 50)),
    50,
  );
  // At 0 m the ring meets the border of the grid in four points, and the corners of the grid are lower.
  const rings = lines.filter(({ heightM }) => heightM > 0 && heightM < 500);
  assert.deepEqual(
    rings.map(({ heightM }) => heightM),
    [50, 100, 150, 200, 250, 300, 350, 400, 450],
  );
  for (const { heightM, points } of rings) {
    assert.ok(isClosed({ points }));
    const radius = (500 - heightM) / 10;
    // The cone is curved across a cell, by at most 1 / (8 × radius) of a pixel along a side of it.
    for (const [x, y] of toPairs(points)) {
      const distance = Math.hypot(x - 50.5, y - 50.5);
      assert.ok(Math.abs(distance - radius) <= 1 / (7 * radius), `${heightM} m: ${distance} of ${radius}`);
    }
    assert.ok(Math.abs(areaOf(points) / (Math.PI * radius ** 2) - 1) < 1 / radius);
  }
  assert.deepEqual(
    lines.filter(({ isIndex }) => isIndex).map(({ heightM }) => heightM),
    [0, 0, 0, 0, 250],
  );
});

test('a plane has straight lines at equal distances, with higher ground on their right', () => {
  // 4 m a column: a line every 2.5 pixels, from the bottom to the top.
  const lines = trace(
    makeHeightGrid(11, 4, (x) => 4 * x + 1),
    10,
  );
  assert.deepEqual(
    lines.map(({ heightM }) => heightM),
    [10, 20, 30, 40],
  );
  for (const { heightM, points } of lines) {
    const x = 0.5 + (heightM - 1) / 4;
    assert.deepEqual(
      toPairs(points),
      [3.5, 2.5, 1.5, 0.5].map((y) => [x, y]),
    );
  }
});

test('saddles are decided by the mean of their corners', () => {
  const saddle: HeightGrid = { heights: Float32Array.of(10, 0, 0, 10), width: 2, height: 2 };
  const pointsAt = (heightM: number) => pairsOf(trace(saddle, 2).filter((line) => line.heightM === heightM));
  // The mean is 5 m: above 4 m, so that the line goes around the two low corners, and below 6 m.
  assert.deepEqual(
    pointsAt(4),
    [
      [
        [1.1, 0.5],
        [1.5, 0.9],
      ],
      [
        [0.9, 1.5],
        [0.5, 1.1],
      ],
    ].map(roundAll),
  );
  assert.deepEqual(
    pointsAt(6),
    [
      [
        [0.9, 0.5],
        [0.5, 0.9],
      ],
      [
        [1.1, 1.5],
        [1.5, 1.1],
      ],
    ].map(roundAll),
  );
  const mirrored: HeightGrid = { heights: Float32Array.of(0, 10, 10, 0), width: 2, height: 2 };
  assert.deepEqual(pairsOf(trace(mirrored, 5)).slice(0, 2), [
    [
      [0.5, 1],
      [1, 0.5],
    ],
    [
      [1.5, 1],
      [1, 1.5],
    ],
  ]);
});

/** Points as traced: at a multiple of 2^-30 of a pixel. */
const roundAll = (pairs: readonly (readonly number[])[]) =>
  pairs.map((pair) => pair.map((value) => Math.round(value * 2 ** 30) / 2 ** 30));

test('a plateau exactly on a line has one ring along its pixels', () => {
  const lines = trace(parseHeightGrid(['00000', '04440', '04440', '04440', '00000']), 4);
  assert.equal(lines.length, 1);
  assert.deepEqual(toPairs(lines[0]!.points), [
    [1.5, 1.5],
    [2.5, 1.5],
    [3.5, 1.5],
    [3.5, 2.5],
    [3.5, 3.5],
    [2.5, 3.5],
    [1.5, 3.5],
    [1.5, 2.5],
    [1.5, 1.5],
  ]);
});

test('a basin exactly on a line is not below it', () => {
  assert.deepEqual(trace(parseHeightGrid(['5555', '5445', '5445', '5555']), 4), []);
});

test('peaks and ridges that only touch a height have no line', () => {
  assert.deepEqual(trace(parseHeightGrid(['000', '040', '000']), 4), []);
  assert.deepEqual(trace(parseHeightGrid(['00000', '04440', '00000']), 4), []);
  assert.deepEqual(trace(parseHeightGrid(['000', '040', '040', '040', '000']), 4), []);
  // Where ridges meet at a right angle, there is level ground between them.
  const [ring, ...others] = trace(parseHeightGrid(['00000', '00400', '04440', '00400', '00000']), 4);
  assert.deepEqual([areaOf(ring!.points), others.length], [2, 0]);
});

test('a ridge that touches a height does not join the lines of its two ends', () => {
  const rows = ['0000000000', '0440000440', '0444444440', '0000000000'];
  const lines = trace(parseHeightGrid(rows), 4);
  assert.deepEqual(
    lines.map(({ points }) => [isClosed({ points }), areaOf(points)]),
    [
      [true, 1.5],
      [true, 1.5],
    ],
  );
});

test('lines end at unknown ground, and only there', () => {
  const heightAt = (x: number, y: number) => 30 * Math.hypot(x - 10.2, y - 10.3);
  const whole = makeHeightGrid(21, 21, heightAt);
  const mask = new Uint8Array(21 * 21).fill(1);
  mask[10 * 21 + 15] = 0;
  const isNearHole = (x: number, y: number) => x >= 14.5 && x <= 16.5 && y >= 9.5 && y <= 11.5;
  const segmentsOf = (grid: HeightGrid) =>
    trace(grid, 60).flatMap(({ heightM, points }) =>
      toSegments(points).map(([from, to]) => ({ heightM, from, to })),
    );
  const toKeys = (segments: ReturnType<typeof segmentsOf>) =>
    segments.map((one) => JSON.stringify(one)).sort();
  const expected = segmentsOf(whole).filter(
    ({ from, to }) => !isNearHole((from[0] + to[0]) / 2, (from[1] + to[1]) / 2),
  );
  const found = segmentsOf({ ...whole, mask });
  assert.ok(found.length < segmentsOf(whole).length);
  assert.deepEqual(toKeys(found), toKeys(expected));
  for (const { points } of trace({ ...whole, mask }, 60)) {
    if (isClosed({ points })) continue;
    for (const [x, y] of [toPairs(points)[0]!, toPairs(points).at(-1)!])
      assert.ok(isNearHole(x, y) || x === 0.5 || y === 0.5 || x === 20.5 || y === 20.5, `${x}, ${y}`);
  }
});

test('NaN, infinite and huge heights are unknown', () => {
  for (const value of [Number.NaN, Infinity, -Infinity, 3e38]) {
    const grid = makeHeightGrid(5, 5, (x, y) => (x === 2 && y === 2 ? value : 3 * x));
    const mask = Uint8Array.from(grid.heights, (_, i) => (i === 12 ? 0 : 1));
    assert.deepEqual(trace(grid, 2), trace({ ...grid, mask }, 2));
  }
});

test('grids that overlap by whole pixels have equal segments there', () => {
  const heightAt = (x: number, y: number) =>
    Math.fround(200 + 90 * Math.sin(x / 7) * Math.cos(y / 9) + 7 * Math.sin(x * 1.7 + y));
  const west = makeHeightGrid(70, 40, heightAt);
  const east = makeHeightGrid(70, 40, (x, y) => heightAt(x + 64, y));
  const segmentsBetween = (grid: HeightGrid, offset: number) =>
    trace(grid, 10)
      .flatMap(({ heightM, points }) =>
        toSegments(points)
          .map(([[ax, ay], [bx, by]]) => [heightM, ax + offset, ay, bx + offset, by] as const)
          .filter(([, ax, , bx]) => Math.min(ax, bx) >= 64.5 && Math.max(ax, bx) <= 69.5),
      )
      .map((one) => one.join(' '))
      .sort();
  const found = segmentsBetween(west, 0);
  assert.ok(found.length > 100);
  assert.deepEqual(segmentsBetween(east, 64), found);
});

test('intervals need not be whole, and heights below zero have lines too', () => {
  const heightsOf = (intervalM: number) =>
    trace(
      makeHeightGrid(2, 2, (x) => x - 0.5),
      intervalM,
    ).map(({ heightM }) => heightM);
  assert.deepEqual(heightsOf(0.1), [-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(heightsOf(0.3), [-0.3, 0, 0.3]);
  assert.ok(Object.is(heightsOf(0.3)[1], 0));
});

test('more points than the limit are refused, also before their memory is needed', () => {
  const refused = (maxPoints: number) => (error: unknown) =>
    isSwathError(error) &&
    error.tag === 'unsupported' &&
    error.code === 'too-many-contours' &&
    error.message.includes('The contour interval is too small for this picture') &&
    error.message.includes(`${maxPoints}`);
  // Ten heights with a line of three points and two cells each.
  const plane = makeHeightGrid(2, 3, (x) => 10 * x + 0.5);
  assert.equal(traceContours(plane, { intervalM: 1, maxPoints: 30 }).length, 10);
  assert.throws(() => traceContours(plane, { intervalM: 1, maxPoints: 29 }), refused(29));
  assert.throws(() => traceContours(plane, { intervalM: 0.001, maxPoints: 1000 }), refused(1000));
  // Two slopes have one line each, but a million heights between them, which need memory too.
  const slopes = parseHeightGrid(['01.01', '01.01']);
  for (const i of [3, 4, 8, 9]) slopes.heights[i]! += 1e6;
  assert.equal(traceContours(slopes, { intervalM: 1, maxPoints: 2e6 }).length, 2);
  assert.throws(() => traceContours(slopes, { intervalM: 1, maxPoints: 1000 }), refused(1000));
});

test('small grids have no lines, and invalid ones are refused', () => {
  assert.deepEqual(trace({ heights: new Float32Array(0), width: 0, height: 0 }, 1), []);
  assert.deepEqual(trace({ heights: Float32Array.of(1, 9), width: 1, height: 2 }, 1), []);
  assert.deepEqual(trace({ heights: Float32Array.of(1, 9), width: 2, height: 1 }, 1), []);
  const heights = new Float32Array(4);
  assert.throws(() => trace({ heights, width: 2, height: 3 }, 1), { code: 'height-grid' });
  assert.throws(() => trace({ heights, width: 2, height: 2, mask: new Uint8Array(3) }, 1), {
    code: 'height-grid',
  });
  for (const intervalM of [0, -1, Number.NaN, Infinity])
    assert.throws(() => trace({ heights, width: 2, height: 2 }, intervalM), { code: 'contour-interval' });
});

/** Grids with few different heights, so that pixels are often exactly on a line, and with some unknown pixels. */
const anyGrid = fc
  .record({ width: fc.integer({ min: 2, max: 9 }), height: fc.integer({ min: 2, max: 9 }) })
  .chain(({ width, height }) => {
    const count = { minLength: width * height, maxLength: width * height };
    return fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      heights: fc.array(fc.integer({ min: -3, max: 5 }), count).map((values) => Float32Array.from(values)),
      mask: fc
        .array(fc.nat(9), count)
        .map((values) => Uint8Array.from(values, (value) => (value > 0 ? 1 : 0))),
    });
  });

const isKnownCell = ({ width, height, mask }: HeightGrid, x: number, y: number): boolean =>
  x >= 0 &&
  y >= 0 &&
  x + 1 < width &&
  y + 1 < height &&
  [0, 1, width, width + 1].every((offset) => mask?.[y * width + x + offset] !== 0);

test('property: points are on edges between pixels, at the height of their line', () => {
  fc.assert(
    fc.property(anyGrid, fc.constantFrom(1, 2, 0.7), (grid, intervalM) => {
      for (const { heightM, points } of trace(grid, intervalM)) {
        for (const [x, y] of toPairs(points)) {
          const [column, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
          const [right, down] = [x - 0.5 - column, y - 0.5 - row];
          assert.ok(right === 0 || down === 0, `${x}, ${y} is inside a cell`);
          const at = (dx: number, dy: number) => grid.heights[(row + dy) * grid.width + column + dx]!;
          const found =
            right > 0
              ? at(0, 0) + right * (at(1, 0) - at(0, 0))
              : down > 0
                ? at(0, 0) + down * (at(0, 1) - at(0, 0))
                : at(0, 0);
          assert.ok(Math.abs(found - heightM) < 1e-7, `${found} of ${heightM} m`);
        }
      }
    }),
    { numRuns: casesOf(500) },
  );
});

test('property: no segment is empty, and no line runs where another one does', () => {
  fc.assert(
    fc.property(anyGrid, fc.constantFrom(1, 2, 3), (grid, intervalM) => {
      const withoutHoles = { ...grid, mask: null };
      for (const one of [grid, withoutHoles]) {
        const seen = new Set<string>();
        for (const { heightM, points } of trace(one, intervalM)) {
          for (const segment of toSegments(points)) {
            const ends = segment.map((point) => point.join(' ')).sort();
            assert.notEqual(ends[0], ends[1]);
            const key = `${heightM}: ${ends}`;
            assert.ok(!seen.has(key), key);
            seen.add(key);
          }
        }
      }
    }),
    { numRuns: casesOf(500) },
  );
});

test('property: open lines end at the border of the grid or at a cell with an unknown corner', () => {
  fc.assert(
    fc.property(anyGrid, fc.constantFrom(1, 2, 0.7), (grid, intervalM) => {
      for (const { points } of trace(grid, intervalM)) {
        if (isClosed({ points })) continue;
        for (const [x, y] of [toPairs(points)[0]!, toPairs(points).at(-1)!]) {
          const columns = [Math.ceil(x - 1.5), Math.floor(x - 0.5)];
          const rows = [Math.ceil(y - 1.5), Math.floor(y - 0.5)];
          assert.ok(
            columns.some((column) => rows.some((row) => !isKnownCell(grid, column, row))),
            `${x}, ${y}`,
          );
        }
      }
    }),
    { numRuns: casesOf(500) },
  );
});

test('property: off the pixels, every crossing is a point of one line, with the higher pixel on its right', () => {
  fc.assert(
    fc.property(anyGrid, (whole) => {
      const grid = { ...whole, heights: whole.heights.map((value) => value + 0.25) };
      const { width, height, heights } = grid;
      const expected: string[] = [];
      const cross = (from: number, to: number, cells: readonly boolean[]) => {
        if (!cells.includes(true)) return;
        const [low, high] = [heights[from]!, heights[to]!].sort((one, other) => one - other) as [
          number,
          number,
        ];
        for (let level = Math.ceil(low); level <= high; level++) expected.push(`${level}: ${from} ${to}`);
      };
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const here = isKnownCell(grid, x, y);
          const pixel = y * width + x;
          if (x + 1 < width) cross(pixel, pixel + 1, [here, isKnownCell(grid, x, y - 1)]);
          if (y + 1 < height) cross(pixel, pixel + width, [here, isKnownCell(grid, x - 1, y)]);
        }
      }
      const found = trace(grid, 1).flatMap(({ heightM, points }) => {
        const pairs = toPairs(points);
        return (isClosed({ points }) ? pairs.slice(1) : pairs).map(([x, y]) => {
          const from = Math.floor(y - 0.5) * width + Math.floor(x - 0.5);
          return `${heightM}: ${from} ${from + (Number.isInteger(y - 0.5) ? 1 : width)}`;
        });
      });
      assert.deepEqual(found.toSorted(), expected.toSorted());
      for (const { points } of trace(grid, 1)) {
        for (const [[ax, ay], [bx, by]] of toSegments(points)) {
          const [column, row] = [Math.floor(ax - 0.5), Math.floor(ay - 0.5)];
          const isAlongRow = Number.isInteger(ay - 0.5);
          const [otherColumn, otherRow] = isAlongRow ? [column + 1, row] : [column, row + 1];
          const isFirstHigher = heights[row * width + column]! > heights[otherRow * width + otherColumn]!;
          const [x, y] = isFirstHigher ? [column, row] : [otherColumn, otherRow];
          // The right of a line that goes by (dx, dy) is (−dy, dx), since rows are counted downwards.
          assert.ok(-(by - ay) * (x + 0.5 - ax) + (bx - ax) * (y + 0.5 - ay) > 0);
        }
      }
    }),
    { numRuns: casesOf(300) },
  );
});
