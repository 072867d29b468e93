import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Grid } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import {
  clipWindow,
  countPixels,
  coverPieces,
  coverPixels,
  planTouchedWindow,
  toSpans,
  touchPixels,
} from './cover-pixels.ts';

/** Pixels of a degree: column is longitude, and row is 10 minus latitude. */
const grid: Grid = { epsg: 4326, transform: [0, 1, 0, 10, 0, -1], width: 12, height: 10 };

type Point = readonly [x: number, y: number];

const toArea = (ring: readonly Point[]) =>
  toOutline({
    type: 'Polygon',
    coordinates: [[...ring, ring[0]!].map(([x, y]): [number, number] => [x, 10 - y])],
  });

/** Whether a line meets a square that is wider by `slack` on all sides: the parts of it within the four sides overlap. */
function meets([fromX, fromY]: Point, [toX, toY]: Point, [col, row]: Point, slack: number): boolean {
  let [first, last] = [0, 1];
  for (const [from, to, low] of [
    [fromX, toX, col],
    [fromY, toY, row],
  ] as const) {
    const [min, max] = [low - slack, low + 1 + slack];
    if (from === to) {
      if (from < min || from > max) return false;
      continue;
    }
    const [a, b] = [(min - from) / (to - from), (max - from) / (to - from)];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last;
}

/** Not on the edges of pixels, where rounding decides. */
const anyPoint = fc
  .tuple(fc.integer({ min: -200, max: 1_400 }), fc.integer({ min: -200, max: 1_200 }))
  .map(([x, y]): Point => [x / 100 + 0.003, y / 100 + 0.004]);

test('exactly the pixels that an outline passes through are covered', () => {
  fc.assert(
    fc.property(anyPoint, anyPoint, anyPoint, (a, b, c) => {
      const mask = touchPixels(toArea([a, b, c]), grid);
      const edges = [
        [a, b],
        [b, c],
        [c, a],
      ] as const;
      for (let i = 0; i < mask.length; i += 1) {
        const pixel = [i % grid.width, Math.floor(i / grid.width)] as const;
        const isSurely = edges.some(([from, to]) => meets(from, to, pixel, -1e-6));
        const isPerhaps = edges.some(([from, to]) => meets(from, to, pixel, 1e-6));
        if (isSurely) assert.equal(mask[i], 1, `${pixel} is touched`);
        if (!isPerhaps) assert.equal(mask[i], 0, `${pixel} is not touched`);
      }
    }),
    { numRuns: casesOf(300) },
  );
});

test('the window of an outline contains all pixels that it touches', () => {
  fc.assert(
    fc.property(anyPoint, anyPoint, anyPoint, (a, b, c) => {
      const outline = toArea([a, b, c]);
      const mask = touchPixels(outline, grid);
      const window = planTouchedWindow(outline, grid);
      for (let i = 0; i < mask.length; i += 1) {
        if (mask[i] === 0) continue;
        const [col, row] = [i % grid.width, Math.floor(i / grid.width)];
        assert.ok(window !== null && col >= window.x && col < window.x + window.width);
        assert.ok(row >= window.y && row < window.y + window.height);
      }
    }),
  );
  assert.equal(
    planTouchedWindow(
      toArea([
        [-3, -3],
        [-2, -3],
        [-2, -2],
      ]),
      grid,
    ),
    null,
  );
});

test('an area that contains no pixel centre counts the pixels that it touches', () => {
  const speck = toArea([
    [3.9, 4.9],
    [4.2, 4.9],
    [4.2, 5.2],
    [3.9, 5.2],
  ]);
  const { count, isTouched, pieces } = coverPieces([grid], (rule, one) => coverPixels(rule, speck, one));
  assert.deepEqual([count, isTouched], [4, true]);
  assert.deepEqual([...pieces[0]!.spans], [4 * 12 + 3, 4 * 12 + 5, 5 * 12 + 3, 5 * 12 + 5]);
});

test('an area that contains one pixel centre counts only that pixel', () => {
  const small = toArea([
    [3.4, 4.4],
    [4.2, 4.4],
    [4.2, 5.2],
    [3.4, 5.2],
  ]);
  const { count, isTouched, pieces } = coverPieces([grid], (rule, one) => coverPixels(rule, small, one));
  assert.deepEqual([count, isTouched], [1, false]);
  assert.deepEqual([...pieces[0]!.spans], [4 * 12 + 3, 4 * 12 + 4]);
});

test('a window is clipped to the image', () => {
  const image = { width: 10, height: 8 };
  assert.deepEqual(clipWindow({ x: -2, y: 3, width: 5, height: 9 }, image), {
    x: 0,
    y: 3,
    width: 3,
    height: 5,
  });
  assert.equal(clipWindow({ x: 10, y: 0, width: 3, height: 3 }, image), null);
  assert.equal(clipWindow({ x: -3, y: 0, width: 3, height: 3 }, image), null);
});

test('property: the runs of a mask cover exactly its pixels', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100, max: 1 }), (mask) => {
      const spans = toSpans(mask);
      const drawn = new Uint8Array(mask.length);
      for (let i = 0; i < spans.length; i += 2) drawn.fill(1, spans[i], spans[i + 1]);
      assert.deepEqual(drawn, mask);
      assert.equal(countPixels(spans), mask.filter((one) => one === 1).length);
    }),
    { numRuns: casesOf(300) },
  );
});

test('neighbouring pixels form one run, and an empty mask has none', () => {
  assert.deepEqual([...toSpans(Uint8Array.of(0, 1, 1, 1, 1, 0, 1))], [1, 5, 6, 7]);
  assert.equal(toSpans(new Uint8Array(6)).length, 0);
});
