import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { tileGrid } from '../../geo/index.ts';
import {
  findTile,
  halveInto,
  makeEmptyTile,
  packTile,
  setPart,
  TILE_PX,
  unpackTile,
} from './pyramid-tile.ts';

const COUNT = TILE_PX * TILE_PX;

/** A tile whose values count up, with a hole in every seventh pixel. */
function makeTile(first: number, step: number) {
  const tile = makeEmptyTile(2);
  for (let i = 0; i < COUNT; i += 1) {
    if (i % 7 === 3) continue;
    tile.mask[i] = 1;
    tile.channels[0]![i] = first + i * step;
    tile.channels[1]![i] = -first + (i % 100) / 100;
  }
  return tile;
}

test('a stored tile keeps its values to a 65,000th of their range', async () => {
  const tile = makeTile(500, 0.25);
  const packed = await packTile(tile);
  // Stores give slices of larger buffers.
  const read = await unpackTile(Buffer.concat([Buffer.alloc(3), packed]).subarray(3));
  assert.deepEqual(read.mask, tile.mask);
  for (const [c, values] of tile.channels.entries()) {
    const range = c === 0 ? COUNT * 0.25 : 1;
    for (let i = 0; i < COUNT; i += 1)
      if (tile.mask[i] === 1)
        assert.ok(Math.abs(values[i]! - read.channels[c]![i]!) <= range / 60_000, `${c} ${i}`);
  }
});

test('a tile of one value, and one without any, read back unchanged', async () => {
  const flat = makeEmptyTile(1);
  flat.mask.fill(1);
  flat.channels[0]!.fill(42.5);
  assert.equal((await unpackTile(await packTile(flat))).channels[0]![77], 42.5);
  assert.ok(!(await unpackTile(await packTile(makeEmptyTile(3)))).mask.includes(1));
});

test('a damaged tile is an error and never a picture', async () => {
  const packed = await packTile(makeTile(1, 1));
  for (const bytes of [
    new Uint8Array(0),
    packed.subarray(0, 20),
    packed.subarray(0, packed.length - 9),
    Buffer.alloc(100, 0xff),
  ])
    await assert.rejects(
      unpackTile(bytes),
      (error) => isSwathError(error) && error.code === 'bad-pyramid' && error.tag === 'source-broken',
    );
});

test('a pixel of the tile above is the mean of those with a value', () => {
  const child = makeEmptyTile(1);
  const set = (col: number, row: number, value: number): void => {
    child.mask[row * TILE_PX + col] = 1;
    child.channels[0]![row * TILE_PX + col] = value;
  };
  set(10, 20, 1);
  set(11, 20, 2);
  set(11, 21, 6);
  const parent = makeEmptyTile(1);
  halveInto(parent, child, { x: 1, y: 0 });
  const at = 10 * TILE_PX + 128 + 5;
  assert.deepEqual([parent.mask[at], parent.channels[0]![at]], [1, 3]);
  assert.equal(
    parent.mask.reduce((sum, one) => sum + one, 0),
    1,
  );
});

test('parts have their position in a tile', () => {
  const tile = makeEmptyTile(1);
  const part = { channels: [Float32Array.of(1, 2, 3, 4)], mask: Uint8Array.of(1, 0, 1, 1) };
  setPart(tile, part, { x: 100, y: 50, size: 2 });
  const row = 50 * TILE_PX + 100;
  assert.deepEqual([...tile.mask.subarray(row, row + 2)], [1, 0]);
  assert.deepEqual([...tile.channels[0]!.subarray(row + TILE_PX, row + TILE_PX + 2)], [3, 4]);
});

test('only the grid of a tile is recognised as a tile', () => {
  const tile = { z: 5, x: 10, y: 11 };
  assert.deepEqual(findTile(tileGrid(tile)), tile);
  assert.equal(findTile(tileGrid(tile, 512)), null);
  assert.equal(findTile({ ...tileGrid(tile), epsg: 4326 }), null);
  const [x, width, a, y, b, height] = tileGrid(tile).transform;
  assert.equal(findTile({ ...tileGrid(tile), transform: [x + 1, width, a, y, b, height] }), null);
});
