import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCog } from '../../src/formats/cog/index.ts';
import { TILE_M, toMgrsTile } from '../../src/live/testing/mgrs-tiles.ts';

/** The tile of all scenes. */
export const TILE = toMgrsTile('36UVA');

/** Side of the blocks of Earth Search's files in pixels. */
const BLOCK_PX = 1024;

/** The part with texture, from the upper left corner: whole blocks of the image and of two overviews. */
export const TEXTURE_M = 4 * BLOCK_PX * 10;

/** Bands of a scene by the size of their pixels; those of one list are copies of its first. */
const FILES = [
  { bands: ['B04', 'B02', 'B03'], resolutionM: 10, level: 1_200 },
  { bands: ['B08'], resolutionM: 10, level: 3_000 },
  { bands: ['B05', 'B06', 'B07', 'B8A', 'B11', 'B12', 'AOT', 'WVP'], resolutionM: 20, level: 2_000 },
  { bands: ['B01', 'B09'], resolutionM: 60, level: 900 },
  { bands: ['SCL'], resolutionM: 20, level: null },
] as const;

/** Rows that are written at a time. */
const STRIP_PX = 512;

/**
 * Makes the bands of a scene, of the size and the blocks that Earth Search's files have. Only a part has the noise of a
 * sensor, so that its blocks have as many bytes as real ones; the rest is even, which makes the files small.
 */
export async function makeBands(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { bands, resolutionM, level } of FILES) {
    const [first, ...copies] = bands.map((band) => join(folder, `${band}.tif`)) as [string, ...string[]];
    if (!existsSync(first)) await writeBand(first, resolutionM, level);
    for (const copy of copies) if (!existsSync(copy)) linkSync(first, copy);
  }
}

/** Writes a band; classes if it has no level. */
async function writeBand(path: string, resolutionM: number, level: number | null): Promise<void> {
  const sizePx = TILE_M / resolutionM;
  const cog = await createCog(path, {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type: level === null ? 'uint8' : 'uint16',
    epsg: TILE.epsg,
    transform: [TILE.west, resolutionM, 0, TILE.north, 0, -resolutionM],
    nodata: 0,
    compression: 'deflate',
    predictor: level === null ? 1 : 2,
    blockSize: BLOCK_PX,
    overviewMethod: level === null ? 'nearest' : 'average',
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += STRIP_PX) {
    const rows = Math.min(STRIP_PX, sizePx - firstRow);
    await cog.writeRows(
      [makeRows({ firstRow, rows, sizePx, level, texturePx: TEXTURE_M / resolutionM })],
      rows,
    );
  }
  await cog.finish();
}

interface Rows {
  readonly firstRow: number;
  readonly rows: number;
  readonly sizePx: number;
  readonly level: number | null;
  readonly texturePx: number;
}

/** Vegetation and bare soil, which no mask of clouds removes. */
const CLASSES = [4, 5] as const;

/** Share of the level that noise takes: a block then has 1.5 MB, as those of Earth Search have. */
const NOISE = 0.25;

function makeRows({ firstRow, rows, sizePx, level, texturePx }: Rows): Uint16Array | Uint8Array {
  const pixels =
    level === null
      ? new Uint8Array(sizePx * rows).fill(CLASSES[0])
      : new Uint16Array(sizePx * rows).fill(level);
  const columns = Math.min(sizePx, Math.ceil(texturePx));
  for (let row = 0; row < rows && firstRow + row < texturePx; row += 1) {
    for (let x = 0; x < columns; x += 1) {
      const at = row * sizePx + x;
      const value = hash(x, firstRow + row);
      pixels[at] =
        level === null
          ? (CLASSES[hash(x >> 3, (firstRow + row) >> 3) < 0.5 ? 0 : 1] as number)
          : level * (1 + NOISE * (value - 0.5));
    }
  }
  return pixels;
}

/** A number from 0 to 1 that no compression can foresee. */
function hash(x: number, y: number): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
}
