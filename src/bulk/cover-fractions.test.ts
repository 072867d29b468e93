import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { makeCoverFractions, windowAroundRings } from './cover-fractions.ts';

type Corner = readonly [number, number];

const toRing = (corners: readonly Corner[]): Float64Array =>
  Float64Array.from([...corners, corners[0] as Corner].flat());

/** The area of a polygon in a pixel: cut at the four sides, one after the other (Sutherland and Hodgman). */
function areaInPixel(corners: readonly Corner[], col: number, row: number): number {
  let kept: readonly Corner[] = corners;
  for (const [axis, at, sign] of [
    [0, col, 1],
    [0, col + 1, -1],
    [1, row, 1],
    [1, row + 1, -1],
  ] as const) {
    const distance = (corner: Corner): number => sign * (corner[axis] - at);
    kept = kept.flatMap((corner, i) => {
      const next = kept[(i + 1) % kept.length] as Corner;
      const [from, to] = [distance(corner), distance(next)];
      const inside = from >= 0 ? [corner] : [];
      if (from >= 0 === to >= 0) return inside;
      const share = from / (from - to);
      const cut: Corner = [
        corner[0] + share * (next[0] - corner[0]),
        corner[1] + share * (next[1] - corner[1]),
      ];
      return [...inside, cut];
    });
  }
  const doubled = kept.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = kept[(i + 1) % kept.length] as Corner;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

const SIDE = 12;
const grid = { epsg: 32631, transform: [0, 1, 0, 0, 0, -1] as const, width: SIDE, height: SIDE };

/** The shares of all pixels of the grid. */
function toShares(rings: readonly Float64Array[]): Float64Array {
  const shares = new Float64Array(SIDE * SIDE);
  const window = windowAroundRings(rings, grid);
  if (window === null) return shares;
  const put = (row: number, from: number, until: number, toShare: (col: number) => number): void => {
    for (let col = from; col < until; col += 1) {
      assert.equal(shares[row * SIDE + col], 0, 'each pixel once');
      shares[row * SIDE + col] = toShare(col);
    }
  };
  coverFractions(rings, window, {
    addRun: (row, from, until) => put(row, from, until, () => 1),
    addWeighted: (row, from, until, own, at) =>
      put(row, from, until, (col) => own[at + col - from] as number),
  });
  return shares;
}

/** One for all cases: what an earlier shape left in its memory must not count. */
const coverFractions = makeCoverFractions();

const near = (own: number, wanted: number, what: string): void =>
  assert.ok(Math.abs(own - wanted) < 1e-6, `${what}: ${own} is not ${wanted}`);

/** A polygon that is not convex, around a point inside the grid or beyond its edges; corners often lie on edges of pixels. */
const anyStar = fc
  .record({
    col: fc.double({ min: -3, max: SIDE + 3, noNaN: true }),
    row: fc.double({ min: -3, max: SIDE + 3, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.05, max: 7, noNaN: true }), { minLength: 3, maxLength: 9 }),
    isWhole: fc.boolean(),
  })
  .map(({ col, row, radii, isWhole }) =>
    radii.map((radius, i): Corner => {
      const angle = (2 * Math.PI * i) / radii.length;
      const corner: Corner = [col + radius * Math.cos(angle), row + radius * Math.sin(angle)];
      return isWhole ? [Math.round(corner[0]), Math.round(corner[1])] : corner;
    }),
  );

test('property: the share of each pixel is the area of the polygon in it, also where the polygon leaves the image', () => {
  fc.assert(
    fc.property(fc.array(anyStar, { minLength: 1, maxLength: 1 }), ([corners]) => {
      const shares = toShares([toRing(corners as readonly Corner[])]);
      // Rounded corners may make a polygon cross itself; then only its edges tell what it is.
      for (const [i, share] of shares.entries()) assert.ok(share >= 0 && share <= 1 + 1e-9, `${i}: ${share}`);
      if ((corners as readonly Corner[]).every(([x, y]) => Number.isInteger(x) && Number.isInteger(y)))
        return;
      for (const [i, share] of shares.entries())
        near(share, areaInPixel(corners as readonly Corner[], i % SIDE, Math.floor(i / SIDE)), `pixel ${i}`);
    }),
    { numRuns: casesOf(500) },
  );
});

test('holes have the opposite orientation, and subtract what they cover', () => {
  const outer: readonly Corner[] = [
    [1.5, 1.5],
    [1.5, 8.5],
    [8.5, 8.5],
    [8.5, 1.5],
  ];
  const hole: readonly Corner[] = [
    [3.25, 3.25],
    [6.75, 3.25],
    [6.75, 6.75],
    [3.25, 6.75],
  ];
  const shares = toShares([toRing(outer), toRing(hole)]);
  for (const [i, share] of shares.entries()) {
    const [col, row] = [i % SIDE, Math.floor(i / SIDE)];
    near(share, areaInPixel(outer, col, row) - areaInPixel(hole, col, row), `pixel ${i}`);
  }
});

test('edges along pixels cover whole pixels, and rings outside cover nothing', () => {
  const whole = toShares([
    toRing([
      [2, 3],
      [2, 6],
      [5, 6],
      [5, 3],
    ]),
  ]);
  assert.equal(whole.filter((share) => share === 1).length, 9);
  assert.equal(whole.filter((share) => share !== 0).length, 9);
  assert.equal(
    windowAroundRings(
      [
        toRing([
          [20, 3],
          [20, 6],
          [25, 6],
        ]),
      ],
      grid,
    ),
    null,
  );
});
