import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErosionInput } from './erosion.ts';
import { erode } from './erosion.ts';

const cols = 40;
const rows = 30;

/** A coast along the eastern edge, hills in the west. */
function makeCoast(): ErosionInput {
  const isBase = new Uint8Array(cols * rows);
  const steepness = new Float64Array(cols * rows);
  for (let cell = 0; cell < cols * rows; cell++) {
    const col = cell % cols;
    isBase[cell] = col === cols - 1 ? 1 : 0;
    steepness[cell] = col < 20 ? 30 : 1;
  }
  return { cols, rows, cellM: 60, isBase, baseHeightM: new Float64Array(cols * rows), steepness };
}

test('every cell drains downhill to the sea', () => {
  const { heightM, receiver } = erode(makeCoast());
  for (let start = 0; start < cols * rows; start++) {
    let cell = start;
    for (let steps = 0; receiver[cell] !== cell; steps++) {
      assert.ok(heightM[receiver[cell]!]! < heightM[cell]!, `cell ${cell} drains uphill`);
      assert.ok(steps < cols * rows, `cell ${start} drains in a circle`);
      cell = receiver[cell]!;
    }
    assert.equal(cell % cols, cols - 1);
  }
});

test('all rain arrives at the sea', () => {
  const { catchmentM2, receiver } = erode(makeCoast());
  let arrivedM2 = 0;
  for (let cell = 0; cell < cols * rows; cell++) if (receiver[cell] === cell) arrivedM2 += catchmentM2[cell]!;
  assert.equal(arrivedM2, cols * rows * 3600);
});

test('steep rock makes hills and soft ground a plain', () => {
  const { heightM } = erode(makeCoast());
  const meanOf = (col: number): number => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += heightM[row * cols + col]!;
    return sum / rows;
  };
  assert.ok(meanOf(2) > 60, `hills of ${meanOf(2)} m`);
  assert.ok(meanOf(25) < 15, `a plain of ${meanOf(25)} m`);
});
