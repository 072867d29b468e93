import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toSpans } from '../areas/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { CELL_PX, cellsAcross, cellWindow, countCell, packCell, STATES } from './mask-cells.ts';

const PIXELS = CELL_PX * CELL_PX;

function count(states: Uint8Array, mask: Uint8Array) {
  const counts = { clear: 0, cloud: 0 };
  const runs = toSpans(mask);
  countCell(packCell(states), runs, { from: 0, to: runs.length }, counts);
  return counts;
}

const countNaively = (states: Uint8Array, mask: Uint8Array) => ({
  clear: states.filter((state, i) => mask[i] === 1 && state === STATES.clear).length,
  cloud: states.filter((state, i) => mask[i] === 1 && state === STATES.cloud).length,
});

/** Runs of any length, some of which are longer than a byte can say. */
const anyRuns = (max: number) =>
  fc
    .array(
      fc.record({
        value: fc.integer({ min: 0, max }),
        length: fc.oneof(fc.nat(4), fc.nat(700), fc.nat(9_000)),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((runs) => runs.flatMap(({ value, length }) => Array.from({ length }, () => value)));

test('property: the pixels of a packed cell inside an area equal those of the cell', () => {
  fc.assert(
    fc.property(anyRuns(2), anyRuns(1), (given, covered) => {
      const states = Uint8Array.from(given);
      const mask = Uint8Array.from(given, (_, i) => covered[i] ?? 0);
      assert.deepEqual(count(states, mask), countNaively(states, mask));
    }),
    { numRuns: casesOf(300) },
  );
});

test('a cell without structure is stored with two bits per pixel, and counted correctly', () => {
  const states = new Uint8Array(PIXELS).map((_, i) => (i * 7 + (i >> 5)) % 3);
  assert.equal(packCell(states).length, 1 + PIXELS / 4);
  const mask = Uint8Array.from(states, (_, i) => Number(i % 11 < 5));
  assert.deepEqual(count(states, mask), countNaively(states, mask));
});

test('a cell of one state takes four bytes', () => {
  assert.equal(packCell(new Uint8Array(PIXELS).fill(STATES.clear)).length, 4);
});

test('cells cover an image, row by row, and end where it does', () => {
  const image = { width: 2 * CELL_PX + 10, height: CELL_PX + 1 };
  assert.equal(cellsAcross(image), 3);
  assert.deepEqual(cellWindow(0, image), { x: 0, y: 0, width: CELL_PX, height: CELL_PX });
  assert.deepEqual(cellWindow(5, image), { x: 2 * CELL_PX, y: CELL_PX, width: 10, height: 1 });
});
