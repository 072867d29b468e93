import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LookupTable } from '../../catalog/index.ts';
import type { Size } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { fillTablePlane } from './table-plane.ts';

function planeOf(table: LookupTable, window: PixelWindow, levelSize: Size, fullSize = levelSize) {
  const plane = new Float32Array(window.width * window.height);
  fillTablePlane(plane, { table, window, levelSize, fullSize });
  return plane;
}

test('between four values the table interpolates along the pixels, then between the lines', () => {
  const table = { lines: [0, 4], pixels: [0, 2], values: [600, 580, 604, 584] };
  const full = { width: 3, height: 5 };
  const plane = planeOf(table, { x: 0, y: 0, ...full }, full);
  assert.equal(plane[1 * 3 + 1], 591, 'a quarter of the lines, half of the pixels');
  assert.deepEqual([plane[0], plane[2], plane[4 * 3], plane[4 * 3 + 2]], [600, 580, 604, 584]);
});

test('a reduced copy has the values at the centres of its larger pixels', () => {
  const table = { lines: [0, 99], pixels: [0, 99], values: [1000, 1099, 1990, 2089] };
  const full = { width: 100, height: 100 };
  const plane = planeOf(table, { x: 10, y: 3, width: 2, height: 1 }, { width: 50, height: 25 }, full);
  // Centres of pixels 20 and 21, of lines 12 to 15: 20.5 and 13.5.
  assert.deepEqual([...plane], [1000 + 20.5 + 135, 1000 + 22.5 + 135]);
});

test('beyond its ends a table continues with its last value', () => {
  const table = { lines: [2, 4], pixels: [3, 5], values: [10, 20, 30, 40] };
  const full = { width: 9, height: 7 };
  const plane = planeOf(table, { x: 0, y: 0, ...full }, full);
  assert.deepEqual([plane[0], plane[8], plane[6 * 9], plane[6 * 9 + 8]], [10, 20, 30, 40]);
  const one = planeOf({ lines: [5], pixels: [5], values: [7] }, { x: 0, y: 0, ...full }, full);
  assert.ok(one.every((value) => value === 7));
});

/** The plain way: look for both brackets at each pixel. */
function valueAt({ lines, pixels, values }: LookupTable, line: number, pixel: number): number {
  const place = (nodes: readonly number[], at: number): [number, number, number] => {
    const next = nodes.findIndex((node) => node > at);
    if (next === 0 || nodes.length === 1) return [0, 0, 0];
    if (next === -1) return [nodes.length - 1, nodes.length - 1, 0];
    return [next - 1, next, (at - nodes[next - 1]!) / (nodes[next]! - nodes[next - 1]!)];
  };
  const [left, right, across] = place(pixels, pixel);
  const [upper, lower, down] = place(lines, line);
  const along = (row: number): number => {
    const [from, to] = [values[row * pixels.length + left]!, values[row * pixels.length + right]!];
    return from + across * (to - from);
  };
  return along(upper) + down * (along(lower) - along(upper));
}

test('windows of any level agree with a search at every pixel', () => {
  const nodes = fc
    .uniqueArray(fc.integer({ min: -50, max: 400 }), { minLength: 1, maxLength: 12 })
    .map((numbers) => numbers.toSorted((a, b) => a - b));
  const cases = fc
    .record({ lines: nodes, pixels: nodes, reduction: fc.constantFrom(1, 2, 3.7) })
    .chain(({ lines, pixels, reduction }) =>
      fc.record({
        lines: fc.constant(lines),
        pixels: fc.constant(pixels),
        values: fc.array(fc.integer({ min: 300, max: 900 }), {
          minLength: lines.length * pixels.length,
          maxLength: lines.length * pixels.length,
        }),
        reduction: fc.constant(reduction),
        x: fc.integer({ min: 0, max: 60 }),
        y: fc.integer({ min: 0, max: 60 }),
      }),
    );
  fc.assert(
    fc.property(cases, ({ reduction, x, y, ...table }) => {
      const level = { width: 100, height: 90 };
      const full = { width: 100 * reduction, height: 90 * reduction };
      const plane = planeOf(table, { x, y, width: 17, height: 13 }, level, full);
      for (const [i, value] of plane.entries()) {
        const pixel = (x + (i % 17) + 0.5) * reduction - 0.5;
        const line = (y + Math.floor(i / 17) + 0.5) * reduction - 0.5;
        const expected = valueAt(table, line, pixel);
        assert.ok(Math.abs(value - expected) <= 1e-6 * expected, `${value} instead of ${expected}`);
      }
    }),
    { numRuns: casesOf(200) },
  );
});

test('a plane of another size is refused', () => {
  const table = { lines: [0], pixels: [0], values: [1] };
  const window = { x: 0, y: 0, width: 2, height: 2 };
  const size = { width: 4, height: 4 };
  assert.throws(
    () => fillTablePlane(new Float32Array(3), { table, window, levelSize: size, fullSize: size }),
    { code: 'window-mismatch' },
  );
});
