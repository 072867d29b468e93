import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileGrid } from '../../geo/index.ts';
import { listNextGrids } from './next-grids.ts';

test('the next grids of a tile are those of its neighbours and of the tiles below it', () => {
  const [z, x, y] = [12, 2081, 1510];
  const expected = [
    { z, x: x + 1, y },
    { z, x: x - 1, y },
    { z, x, y: y + 1 },
    { z, x, y: y - 1 },
    { z: z + 1, x: 2 * x, y: 2 * y },
    { z: z + 1, x: 2 * x + 1, y: 2 * y },
    { z: z + 1, x: 2 * x, y: 2 * y + 1 },
    { z: z + 1, x: 2 * x + 1, y: 2 * y + 1 },
  ].map((tile) => tileGrid(tile));
  const found = listNextGrids(tileGrid({ z, x, y }));
  assert.equal(found.length, expected.length);
  for (const [i, grid] of found.entries()) {
    const { transform, ...rest } = expected[i]!;
    const { transform: got, ...gotRest } = grid;
    assert.deepEqual(gotRest, rest);
    for (const [term, value] of got.entries()) assert.ok(Math.abs(value - transform[term]!) < 1e-6);
  }
});
