import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../testing/test-size.ts';
import type { ContourLine } from './contour-line.ts';
import { clipLines, isClosed, simplifyLine } from './contour-line.ts';
import type { Point } from './testing/contour-grid.ts';
import { distanceFrom, lengthOf, toPairs } from './testing/contour-grid.ts';

const BOX = { minX: 0, minY: 0, maxX: 10, maxY: 8 };

const lineOf = (...pairs: readonly Point[]): ContourLine => ({
  heightM: 20,
  isIndex: false,
  points: Float64Array.from(pairs.flat()),
});
const clip = (...pairs: readonly Point[]) =>
  clipLines([lineOf(...pairs)], BOX).map(({ points }) => toPairs(points));

test('a line inside stays unchanged, one outside vanishes', () => {
  const line = lineOf([0, 0], [3, 4], [10, 8]);
  assert.deepEqual(clipLines([line], BOX), [line]);
  assert.deepEqual(clip([-3, 4], [-1, 9], [5, 9]), []);
  // Across a corner, without meeting the box.
  assert.deepEqual(clip([-2, 1], [1, -2]), []);
});

test('a line is cut where it crosses the border, and may become several', () => {
  assert.deepEqual(clip([-4, 2], [4, 4], [12, 2]), [
    [
      [0, 3],
      [4, 4],
      [10, 2.5],
    ],
  ]);
  assert.deepEqual(clip([2, -2], [2, 2], [4, 2], [4, -2], [6, -2], [6, 3]), [
    [
      [2, 0],
      [2, 2],
      [4, 2],
      [4, 0],
    ],
    [
      [6, 0],
      [6, 3],
    ],
  ]);
  // One segment through two corners of the box.
  assert.deepEqual(clip([-10, -8], [20, 16]), [
    [
      [0, 0],
      [10, 8],
    ],
  ]);
});

test('a line that only touches the border leaves nothing, one along it stays', () => {
  assert.deepEqual(clip([-2, 2], [0, 4], [-2, 6]), []);
  assert.deepEqual(clip([-2, 0], [12, 0]), [
    [
      [0, 0],
      [10, 0],
    ],
  ]);
});

test('a ring that starts inside is one piece across its start', () => {
  assert.deepEqual(clip([5, 2], [12, 2], [12, 6], [5, 6], [5, 2]), [
    [
      [10, 6],
      [5, 6],
      [5, 2],
      [10, 2],
    ],
  ]);
  const inside = clipLines([lineOf([5, 2], [6, 2], [6, 6], [5, 2])], BOX);
  assert.deepEqual(inside.map(isClosed), [true]);
});

test('property: the inside part has the length of clipping each segment, and all points are inside', () => {
  const point = fc.tuple(fc.integer({ min: -6, max: 16 }), fc.integer({ min: -6, max: 14 }));
  fc.assert(
    fc.property(
      fc.uniqueArray(point, { minLength: 2, maxLength: 12, selector: String }),
      fc.boolean(),
      (pairs, isRing) => {
        const whole = isRing ? [...pairs, pairs[0]!] : pairs;
        const pieces = clipLines([lineOf(...whole)], BOX);
        for (const { points } of pieces)
          for (const [x, y] of toPairs(points))
            assert.ok(x >= 0 && x <= 10 && y >= 0 && y <= 8, `${x}, ${y}`);
        const found = pieces.reduce((sum, { points }) => sum + lengthOf(points), 0);
        const expected = whole.slice(1).reduce((sum, to, i) => sum + insideLength(whole[i]!, to), 0);
        assert.ok(Math.abs(found - expected) < 1e-9, `${found} of ${expected}`);
      },
    ),
    { numRuns: casesOf(500) },
  );
});

/** The length of a segment inside the box, by the range of positions along it that satisfy all four borders. */
function insideLength([ax, ay]: Point, [bx, by]: Point): number {
  let [low, high] = [0, 1];
  for (const [from, to, min, max] of [
    [ax, bx, BOX.minX, BOX.maxX],
    [ay, by, BOX.minY, BOX.maxY],
  ] as const) {
    if (from === to) {
      if (from < min || from > max) return 0;
      continue;
    }
    const ends = [(min - from) / (to - from), (max - from) / (to - from)].sort((one, other) => one - other);
    low = Math.max(low, ends[0]!);
    high = Math.min(high, ends[1]!);
  }
  return Math.max(0, high - low) * Math.hypot(bx - ax, by - ay);
}

const toPoints = (...pairs: readonly (readonly [number, number])[]) => Float64Array.from(pairs.flat());

test('points on a straight line are omitted, corners stay', () => {
  const line = toPoints([0, 0], [1, 0.04], [2, 0], [3, 0], [3, 1], [3.02, 2], [3, 3]);
  assert.deepEqual(toPairs(simplifyLine(line, 0.1)), [
    [0, 0],
    [3, 0],
    [3, 3],
  ]);
});

test('points on the border of a tile stay', () => {
  const line = toPoints([0.5, 1], [1.5, 1], [2, 1], [2.5, 1], [3.5, 1]);
  const border = { minX: -2, minY: -2, maxX: 2, maxY: 2 };
  assert.deepEqual(toPairs(simplifyLine(line, 0.1, border)), [
    [0.5, 1],
    [2, 1],
    [3.5, 1],
  ]);
});

test('rings stay rings, even tiny ones', () => {
  const square = toPoints([0, 0], [1, 0], [2, 0], [2, 2], [0, 2], [0, 1], [0, 0]);
  assert.deepEqual(toPairs(simplifyLine(square, 0.1)), [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
    [0, 0],
  ]);
  const tiny = toPoints([0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01], [0, 0]);
  assert.deepEqual(simplifyLine(tiny, 0.1), tiny);
});

test('short lines stay unchanged', () => {
  assert.deepEqual([...simplifyLine(toPoints([0, 0], [0.01, 0]), 0.1)], [0, 0, 0.01, 0]);
});

test('a long line is simplified in stretches of 256 points, which bound the time', () => {
  const straight = new Float64Array(2 * 601).map((_, i) => (i % 2 === 0 ? i / 2 : 7));
  assert.deepEqual(toPairs(simplifyLine(straight, 0.1)), [
    [0, 7],
    [256, 7],
    [512, 7],
    [600, 7],
  ]);
});

test('property: ends stay, the rest are points of the line, and none is farther away than the tolerance', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 2, maxLength: 60 }),
      fc.constantFrom(0.5, 2, 8),
      (pairs, tolerance) => {
        const line = toPoints(...pairs);
        const simple = simplifyLine(line, tolerance);
        const left = toPairs(simple);
        assert.deepEqual([left[0], left.at(-1)], [pairs[0], pairs.at(-1)]);
        let at = -1;
        for (const [x, y] of left) {
          at = pairs.findIndex((pair, i) => i > at && pair[0] === x && pair[1] === y);
          assert.ok(at >= 0, `${x}, ${y}`);
        }
        for (const pair of pairs) assert.ok(distanceFrom(simple, pair) <= tolerance + 1e-9);
      },
    ),
    { numRuns: casesOf(300) },
  );
});
