import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../testing/test-size.ts';
import { simplifyLine } from './simplify-line.ts';
import { distanceFrom, toPairs } from './testing/measure-line.ts';

const lineOf = (...pairs: readonly (readonly [number, number])[]) => Float64Array.from(pairs.flat());

test('points on a straight line are left out, corners stay', () => {
  const line = lineOf([0, 0], [1, 0.04], [2, 0], [3, 0], [3, 1], [3.02, 2], [3, 3]);
  assert.deepEqual(toPairs(simplifyLine(line, 0.1)), [
    [0, 0],
    [3, 0],
    [3, 3],
  ]);
});

test('points on the border of a tile stay', () => {
  const line = lineOf([0.5, 1], [1.5, 1], [2, 1], [2.5, 1], [3.5, 1]);
  const border = { minX: -2, minY: -2, maxX: 2, maxY: 2 };
  assert.deepEqual(toPairs(simplifyLine(line, 0.1, border)), [
    [0.5, 1],
    [2, 1],
    [3.5, 1],
  ]);
});

test('rings stay rings, even tiny ones', () => {
  const square = lineOf([0, 0], [1, 0], [2, 0], [2, 2], [0, 2], [0, 1], [0, 0]);
  assert.deepEqual(toPairs(simplifyLine(square, 0.1)), [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
    [0, 0],
  ]);
  const tiny = lineOf([0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01], [0, 0]);
  assert.deepEqual(simplifyLine(tiny, 0.1), tiny);
});

test('short lines stay as they are', () => {
  assert.deepEqual([...simplifyLine(lineOf([0, 0], [0.01, 0]), 0.1)], [0, 0, 0.01, 0]);
});

test('a long line is simplified in stretches of 256 points, which bound the time', () => {
  const straight = Float64Array.from({ length: 2 * 601 }, (_, i) => (i % 2 === 0 ? i / 2 : 7));
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
        const line = lineOf(...pairs);
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
