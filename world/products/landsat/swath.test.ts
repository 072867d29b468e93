import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSeen, planSwath } from './swath.ts';

const grid = { firstX: 30, firstY: 30, pixelM: 60, width: 1_000, height: 1_000 };
const whole = findSeen(planSwath(grid, false), grid, { row: 0, rowCount: grid.height });
const torn = findSeen(planSwath(grid, true), grid, { row: 0, rowCount: grid.height });

/** Lines of pixels from west to east and north to south that hold something. */
function boundsOf(pixels: Uint8Array): { columns: [number, number]; rows: [number, number] } {
  const columns: [number, number] = [grid.width, -1];
  const rows: [number, number] = [grid.height, -1];
  for (const [i, seen] of pixels.entries()) {
    if (seen === 0) continue;
    const [column, row] = [i % grid.width, Math.floor(i / grid.width)];
    columns[0] = Math.min(columns[0], column);
    columns[1] = Math.max(columns[1], column);
    rows[0] = Math.min(rows[0], row);
    rows[1] = Math.max(rows[1], row);
  }
  return { columns, rows };
}

test('a scene is a tilted parallelogram that touches all sides of its frame', () => {
  const { columns, rows } = boundsOf(whole.pixels);
  for (const [first, last] of [columns, rows]) {
    assert.ok(first <= 5 && last >= grid.width - 6, `${first} to ${last}`);
  }
  const edges = (row: number) => {
    const line = whole.pixels.subarray(row * grid.width, (row + 1) * grid.width);
    return [line.indexOf(1), line.lastIndexOf(1)] as const;
  };
  // both sides lean to the west by the tangent of 15 degrees
  const [[left, right], [lowerLeft, lowerRight]] = [edges(400), edges(600)];
  assert.ok(Math.abs(left - lowerLeft - 53.6) <= 2, `${left} ${lowerLeft}`);
  assert.ok(Math.abs(right - lowerRight - 53.6) <= 2, `${right} ${lowerRight}`);
  assert.equal(whole.fromColumn, columns[0]);
  assert.equal(whole.toColumn, columns[1] + 1);
});

test('rows made separately equal rows made together', () => {
  const part = findSeen(planSwath(grid, true), grid, { row: 311, rowCount: 50 });
  assert.deepEqual(part.pixels, torn.pixels.subarray(311 * grid.width, 361 * grid.width));
});

test('gaps grow from nothing in the middle to nearly half of the data at both sides', () => {
  for (const side of [-1, 1]) {
    const shares = [0.02, 0.1, 0.18, 0.26, 0.34].map((from) => {
      let [seen, missing] = [0, 0];
      for (const [i, is] of whole.pixels.entries()) {
        if (is === 0) continue;
        const row = Math.floor(i / grid.width);
        const middle = grid.width / 2 - (row - grid.height / 2) * Math.tan(Math.PI / 12);
        const across = ((i % grid.width) - middle) / grid.width;
        if (across * side < from || across * side >= from + 0.04) continue;
        seen++;
        if (torn.pixels[i] === 0) missing++;
      }
      return missing / seen;
    });
    for (let i = 1; i < shares.length; i++) assert.ok(shares[i]! > shares[i - 1]! + 0.02, shares.join(' '));
    assert.ok(shares[0]! < 0.005 && shares.at(-1)! > 0.35 && shares.at(-1)! < 0.45, shares.join(' '));
  }
});

test('windows too thin for a tilted scene are refused', () => {
  assert.throws(() => planSwath({ ...grid, height: 200 }, false), { code: 'bad-window' });
});
