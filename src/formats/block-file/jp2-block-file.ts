import { makePixels } from '../../raster/index.ts';
import { sourceBroken } from '../errors.ts';
import type { Jp2Decoder } from '../jp2/openjpeg.ts';
import type { Jp2 } from '../jp2/reader/jp2-reader.ts';
import { listFirstRanges, makeTileHabits } from '../jp2/reader/read-tile-data.ts';
import type { TilePosition } from '../jp2/reader/tile-reader.ts';
import { readJp2Tile } from '../jp2/reader/tile-reader.ts';
import type { Block, BlockPosition } from '../tiff/blocks/block-reader.ts';
import { toBlockNumber } from '../tiff/blocks/block-reader.ts';
import { PLAIN_BAND } from '../tiff/samples/gdal-metadata.ts';
import type { BlockFile, BlockImage, StoredRange } from './block-file.ts';

/** A level whose blocks are groups of tiles. */
interface Jp2Level extends BlockImage {
  /** Tiles of a block on each axis; 1 nearly always. */
  readonly tilesX: number;
  readonly tilesY: number;
}

/**
 * Tiles that make a block: the fewest whose side the level halves without a rest. Single tiles have rounded corners at
 * small levels (or no pixel at all), so they would not form a regular grid.
 */
function countTiles(tileSide: number, tileCount: number, level: number): number {
  let tiles = 1;
  // each doubling takes one factor of two from the rest, and one tile alone needs no grid
  while (tiles < tileCount && (tiles * tileSide) % 2 ** level !== 0) tiles *= 2;
  return Math.min(tiles, tileCount);
}

function toLevel(jp2: Jp2, level: number): Jp2Level {
  const { width, height } = jp2.levels[level]!;
  const tilesX = countTiles(jp2.tileWidth, jp2.tilesAcross, level);
  const tilesY = countTiles(jp2.tileHeight, jp2.tilesDown, level);
  return {
    width,
    height,
    tilesX,
    tilesY,
    bandCount: jp2.bandCount,
    type: jp2.type,
    interleave: 'pixel',
    // a block of all tiles ends where the image does
    blockWidth: Math.min(Math.ceil((tilesX * jp2.tileWidth) / 2 ** level), width),
    blockHeight: Math.min(Math.ceil((tilesY * jp2.tileHeight) / 2 ** level), height),
    blocksAcross: Math.ceil(jp2.tilesAcross / tilesX),
    blocksDown: Math.ceil(jp2.tilesDown / tilesY),
  };
}

/** A JPEG 2000 file as a file of blocks; it has no nodata value of its own. */
export function toJp2BlockFile(jp2: Jp2, decoder: Jp2Decoder): Omit<BlockFile, 'readRows'> {
  const levels = jp2.levels.map((_, level) => toLevel(jp2, level));
  const habits = makeTileHabits();
  const levelAt = (level: number): Jp2Level => {
    const found = levels[level];
    if (found === undefined) throw sourceBroken('no-level', `The image has no level ${level}.`);
    return found;
  };
  /** The level of a block; refuses one that it does not have. */
  const levelOf = (level: number, position: BlockPosition): Jp2Level => {
    const found = levelAt(level);
    toBlockNumber(found, position);
    return found;
  };

  return {
    source: jp2.source,
    levels: levels as [Jp2Level, ...Jp2Level[]],
    format: 'jp2',
    epsg: jp2.epsg,
    proj: null,
    transform: jp2.transform,
    gcps: [],
    nodata: null,
    bands: Array.from({ length: jp2.bandCount }, () => PLAIN_BAND),
    verticalUnit: null,
    blockBuffer: () => null,
    readMask: async () => null,
    storedRanges(level, position) {
      const { tilesX, tilesY } = levelOf(level, position);
      const [column, row] = [position.column * tilesX, position.row * tilesY];
      const ranges: StoredRange[] = [];
      for (let y = row; y < Math.min(row + tilesY, jp2.tilesDown); y++) {
        for (let x = column; x < Math.min(column + tilesX, jp2.tilesAcross); x++) {
          const tile = y * jp2.tilesAcross + x;
          for (const range of listFirstRanges(jp2, { tile, level }, habits))
            ranges.push({ source: jp2.source, ...range });
        }
      }
      return ranges;
    },
    async readBlock(level, position, signal) {
      const { tilesX, tilesY } = levelOf(level, position);
      const [column, row] = [position.column * tilesX, position.row * tilesY];
      const columns = range(column, Math.min(column + tilesX, jp2.tilesAcross));
      const rows = range(row, Math.min(row + tilesY, jp2.tilesDown));
      const tiles = rows.flatMap((y) => columns.map((x) => ({ level, column: x, row: y })));
      const blocks: Block[] = [];
      for (const batch of planBatches(jp2, tiles)) {
        const read = batch.map((tile) => readJp2Tile(jp2, tile, { decoder, signal, habits }));
        blocks.push(...(await Promise.all(read)));
      }
      const strips = rows.map((_, i) =>
        joinTiles(blocks.slice(i * columns.length, (i + 1) * columns.length), 'x'),
      );
      return joinTiles(strips, 'y');
    },
  };
}

const range = (start: number, end: number): readonly number[] =>
  Array.from({ length: end - start }, (_, i) => start + i);

/** Stored bytes of tiles that are read at once: enough for small ones, and a limit for large ones. */
const BATCH_BYTES = 16 * 2 ** 20;

/** Tiles of a block that are read at once, one at least. */
function planBatches(jp2: Jp2, tiles: readonly TilePosition[]): readonly (readonly TilePosition[])[] {
  const batches: TilePosition[][] = [];
  let left = 0;
  for (const tile of tiles) {
    const parts = jp2.tileParts[tile.row * jp2.tilesAcross + tile.column] ?? [];
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (bytes > left || batches.length === 0) {
      batches.push([]);
      left = BATCH_BYTES;
    }
    batches.at(-1)?.push(tile);
    left -= bytes;
  }
  return batches;
}

/** Joins blocks that lie side by side, or one below the other, into one. */
function joinTiles(tiles: readonly Block[], axis: 'x' | 'y'): Block {
  const [first] = tiles;
  if (first === undefined) throw new Error('a block has no tiles');
  if (tiles.length === 1) return first;
  const sum = (side: 'width' | 'height') => tiles.reduce((total, tile) => total + tile[side], 0);
  const width = axis === 'x' ? sum('width') : first.width;
  const height = axis === 'y' ? sum('height') : first.height;
  const pixels = makePixels(first.type, width * height * first.bandCount);
  let at = 0;
  for (const tile of tiles) {
    if (axis === 'y') {
      pixels.set(tile.pixels, at);
      at += tile.pixels.length;
      continue;
    }
    const rowSamples = tile.width * tile.bandCount;
    for (let y = 0; y < height; y++) {
      const row = tile.pixels.subarray(y * rowSamples, (y + 1) * rowSamples);
      pixels.set(row, y * width * tile.bandCount + at);
    }
    at += rowSamples;
  }
  return { ...first, width, height, pixels };
}
