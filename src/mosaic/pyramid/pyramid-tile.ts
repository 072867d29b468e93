import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Grid, Tile } from '../../geo/index.ts';
import { gridBounds, tileAt, tileGrid } from '../../geo/index.ts';
import { sourceBroken } from '../errors.ts';

/** Pixels on a side of a tile. */
export const TILE_PX = 256;
const COUNT = TILE_PX * TILE_PX;

/** The values of a tile of a pyramid. */
export interface PyramidTile {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  /** 1 where there is a value. */
  readonly mask: Uint8Array<ArrayBuffer>;
}

/** A tile without a value. */
export const makeEmptyTile = (channels: number): PyramidTile => ({
  channels: Array.from({ length: channels }, () => new Float32Array(COUNT)),
  mask: new Uint8Array(COUNT),
});

/** Steps between the least and the greatest value of a channel; finer than any picture shows. */
const STEPS = 65_534;

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/**
 * A tile as it is stored: the number of channels, the least and greatest value of each (doubles), and deflated the mask
 * and 16 bits for each value.
 */
export async function packTile({ channels, mask }: PyramidTile): Promise<Uint8Array> {
  const head = new Float64Array(1 + 2 * channels.length);
  head[0] = channels.length;
  const numbers = new Uint16Array(COUNT * channels.length);
  for (const [c, values] of channels.entries()) {
    const [least, greatest] = findRange(values, mask);
    head.set([least, greatest], 1 + 2 * c);
    const scale = greatest > least ? STEPS / (greatest - least) : 0;
    for (let i = 0; i < COUNT; i += 1)
      if (mask[i] !== 0) numbers[c * COUNT + i] = Math.round((values[i]! - least) * scale);
  }
  const body = Buffer.concat([mask, new Uint8Array(numbers.buffer)]);
  return Buffer.concat([new Uint8Array(head.buffer), await pack(body, { level: 1 })]);
}

function findRange(values: Float32Array, mask: Uint8Array): readonly [number, number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i += 1) {
    if (mask[i] === 0) continue;
    least = Math.min(least, values[i]!);
    greatest = Math.max(greatest, values[i]!);
  }
  return Number.isFinite(least) && Number.isFinite(greatest) ? [least, greatest] : [0, 0];
}

/** As many channels as a picture has. */
const MAX_CHANNELS = 4;

/** Reads a stored tile. */
export async function unpackTile(bytes: Uint8Array): Promise<PyramidTile> {
  const count = bytes.length < 8 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
  const headBytes = 8 * (1 + 2 * count);
  if (!(count >= 1 && count <= MAX_CHANNELS) || bytes.length < headBytes) throw damaged();
  const head = new Float64Array(new Uint8Array(bytes.subarray(0, headBytes)).buffer);
  const most = COUNT * (1 + 2 * count);
  const body = await unpack(bytes.subarray(headBytes), { maxOutputLength: most }).catch((cause: unknown) => {
    throw damaged(cause);
  });
  if (body.length !== most) throw damaged();
  const mask = new Uint8Array(body.subarray(0, COUNT));
  const numbers = new Uint16Array(new Uint8Array(body.subarray(COUNT)).buffer);
  const channels = Array.from({ length: count }, (_, c) => {
    const [least, greatest] = [head[1 + 2 * c]!, head[2 + 2 * c]!];
    const step = (greatest - least) / STEPS;
    return Float32Array.from({ length: COUNT }, (_value, i) => least + numbers[c * COUNT + i]! * step);
  });
  return { channels, mask };
}

const damaged = (cause?: unknown): Error =>
  sourceBroken('bad-pyramid', 'A stored tile of this mosaic is damaged: order its pyramid again.', { cause });

/** Puts the mean of each 2 × 2 pixels of a tile into a quarter of the tile above it; pixels without a value do not count. */
export function halveInto(
  parent: PyramidTile,
  child: PyramidTile,
  quarter: { readonly x: number; readonly y: number },
): void {
  const half = TILE_PX / 2;
  for (let row = 0; row < half; row += 1) {
    for (let col = 0; col < half; col += 1) {
      const from = 2 * row * TILE_PX + 2 * col;
      const to = (quarter.y * half + row) * TILE_PX + quarter.x * half + col;
      const four = [from, from + 1, from + TILE_PX, from + TILE_PX + 1].filter((i) => child.mask[i] !== 0);
      if (four.length === 0) continue;
      parent.mask[to] = 1;
      for (const [c, values] of child.channels.entries())
        parent.channels[c]![to] = four.reduce((sum, i) => sum + values[i]!, 0) / four.length;
    }
  }
}

/** Puts a rectangle of values into a tile. */
export function setPart(
  tile: PyramidTile,
  part: { readonly channels: readonly Float32Array[]; readonly mask: Uint8Array },
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): void {
  for (let row = 0; row < size; row += 1) {
    const [from, to] = [row * size, (y + row) * TILE_PX + x];
    tile.mask.set(part.mask.subarray(from, from + size), to);
    for (const [c, values] of part.channels.entries())
      tile.channels[c]!.set(values.subarray(from, from + size), to);
  }
}

/** The tile whose grid this is, with 256 pixels a side; null for any other grid. */
export function findTile(grid: Grid): Tile | null {
  if (grid.epsg !== 3857 || grid.width !== TILE_PX || grid.height !== TILE_PX) return null;
  const { minX, maxX, minY, maxY } = gridBounds(grid);
  const zoom = Math.round(Math.log2(WORLD_M / (maxX - minX)));
  if (zoom < 0) return null;
  const tile = tileAt(zoom, (minX + maxX) / 2, (minY + maxY) / 2);
  const own = tileGrid(tile);
  return own.transform.every((number, i) => number === grid.transform[i]) ? tile : null;
}

const WORLD_M = gridBounds(tileGrid({ z: 0, x: 0, y: 0 })).maxX * 2;
