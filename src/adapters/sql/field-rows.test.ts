import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hilbertKey } from './field-rows.ts';

/** The middle of a cell of a grid with `side` columns and rows over the world. */
const keyOf = (x: number, y: number, side: number): number =>
  hilbertKey(((x + 0.5) / side) * 360 - 180, ((y + 0.5) / side) * 180 - 90);

test('cells in the order of their keys are neighbours, each visited once', () => {
  const side = 32;
  const cells = Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return { x, y, key: keyOf(x, y, side) };
  }).sort((a, b) => a.key - b.key);
  assert.equal(new Set(cells.map(({ key }) => key)).size, side * side);
  for (let i = 1; i < cells.length; i++) {
    const [one, next] = [cells[i - 1]!, cells[i]!];
    assert.equal(Math.abs(one.x - next.x) + Math.abs(one.y - next.y), 1, `step ${i}`);
  }
});

test('keys are whole numbers below 2^48, also at the edges of the world and a turn away', () => {
  for (const lon of [-180, 180, 0, 179.9999999, 540]) {
    for (const lat of [-90, 90, 0]) {
      const key = hilbertKey(lon, lat);
      assert.ok(Number.isSafeInteger(key) && key >= 0 && key < 2 ** 48, `${lon} ${lat}`);
    }
  }
  assert.equal(hilbertKey(181, 40), hilbertKey(-179, 40));
});
