import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../src/errors.ts';
import { toLocalGrid, toLocations } from './local-window.ts';
import { findSeen, toCorners, toTiltedBox } from './tilted-box.ts';

const window = { x: 5_000, y: 7_000, widthM: 12_000, heightM: 9_000 };

test('a tilted rectangle touches all sides of its window', () => {
  for (const heading of [195, 194.1, 344.7, 10]) {
    const box = toTiltedBox(window, heading);
    const corners = toCorners(box);
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${heading}: ${a} ${b}`);
    near(Math.min(...xs), 5_000);
    near(Math.max(...xs), 17_000);
    near(Math.min(...ys), 7_000);
    near(Math.max(...ys), 16_000);
    const length = (from: number, to: number) => Math.hypot(xs[from]! - xs[to]!, ys[from]! - ys[to]!);
    near(length(0, 1), box.acrossM);
    near(length(1, 2), box.alongM);
  }
  // flying south, the first line lies in the north and its left end in the east
  const [left, right, , last] = toCorners(toTiltedBox(window, 190));
  assert.ok(left![1] < last![1] && left![0] > right![0]);
});

test('pixels whose centre is inside are visible', () => {
  const grid = toLocalGrid(window, 100);
  const box = toTiltedBox(window, 195);
  const seen = findSeen(box, grid, { firstRow: 0, rows: grid.height });
  const count = seen.pixels.reduce((sum, pixel) => sum + pixel, 0);
  assert.ok(Math.abs(count * 1e4 - box.acrossM * box.alongM) < 0.01 * count * 1e4);
  const strip = findSeen(box, grid, { firstRow: 40, rows: 5 });
  assert.deepEqual(strip.pixels, seen.pixels.subarray(40 * grid.width, 45 * grid.width));
  const columns = Array.from({ length: 5 * grid.width }, (_, i) => i % grid.width).filter(
    (_, i) => strip.pixels[i] === 1,
  );
  assert.equal(strip.firstCol, Math.min(...columns));
  assert.equal(strip.firstCol + strip.cols - 1, Math.max(...columns));
});

test('locations in a part of a grid equal those in the whole', () => {
  const grid = toLocalGrid({ x: 100, y: 200, widthM: 50.000_000_1, heightM: 39.999_999_9 }, 10);
  assert.deepEqual([grid.width, grid.height], [5, 4]);
  const { x, y, width, height, sideM } = toLocations(grid, { firstCol: 1, cols: 2, firstRow: 3, rows: 1 });
  assert.deepEqual([[...x], [...y], width, height, sideM], [[115, 125], [235, 235], 2, 1, 10]);
});

test('windows without pixels, too narrow or too large are refused', () => {
  const refused = (code: string, make: () => unknown) =>
    assert.throws(make, (error) => isSwathError(error) && error.code === code);
  refused('bad-window', () => toLocalGrid({ ...window, widthM: 5 }, 10));
  refused('bad-window', () => toLocalGrid({ ...window, x: Number.NaN }, 10));
  refused('bad-window', () => toLocalGrid(window, 0));
  refused('window-too-large', () => toLocalGrid(window, 0.1));
  refused('bad-window', () => toTiltedBox({ ...window, widthM: 60_000 }, 195));
});
