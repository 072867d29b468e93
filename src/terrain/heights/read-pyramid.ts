import { isSwathError } from '../../errors.ts';
import { decodeRgb } from '../../formats/sharp.ts';
import { makeLru } from '../../lru.ts';
import type { PieceSink } from '../../raster/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { sourceBroken } from '../errors.ts';
import { toTileAddress } from '../ingest/pyramid.ts';
import type { MosaicPiece } from '../plan/plan-lattices.ts';

/** Reads a window of a pyramid of terrarium tiles: every pixel of the window goes into the sink, in pieces. */
export type ReadPyramid = (piece: MosaicPiece, sink: PieceSink, signal: AbortSignal) => Promise<void>;

/** Decoded tiles of a thread; one of 256 pixels takes 256 KiB. */
const MAX_TILE_BYTES = 16 * 2 ** 20;
/** The largest file of a tile: 512 pixels of noise. */
const MAX_FILE_BYTES = 2 ** 20;
const TILES_AT_ONCE = 16;

/** Heights of a tile; null for a tile that the pyramid does not have. */
type TileHeights = Float32Array | null;

/** Builds the reader of one thread. A tile that is missing is unknown, a tile that cannot be read is an error. */
export function makeReadPyramid(open: OpenSource): ReadPyramid {
  const tiles = makeLru<TileHeights>({ max: MAX_TILE_BYTES, sizeOf: (heights) => heights?.byteLength ?? 64 });

  const readTile = (href: string, tilePx: number, signal: AbortSignal): Promise<TileHeights> =>
    tiles.rememberLater(href, async () => {
      const bytes = await readWhole(open, href, signal);
      return bytes === null ? null : toHeights(await decodeRgb(bytes), tilePx);
    });

  return async ({ href, read, pyramid }, sink, signal) => {
    if (pyramid === undefined)
      throw sourceBroken('source-differs', 'A pyramid without zoom levels was planned.');
    const { tilePx, maxZoom } = pyramid;
    const { window, level } = read;
    const z = maxZoom - level;
    const columns = rangeOf(window.x, window.width, tilePx);
    const rows = rangeOf(window.y, window.height, tilePx);
    const wanted = rows.flatMap((y) => columns.map((x) => ({ x, y })));
    sink.begin();
    const empty = new Float32Array(tilePx * tilePx);
    const unknown = new Uint8Array(tilePx * tilePx);
    for (let i = 0; i < wanted.length; i += TILES_AT_ONCE) {
      const some = wanted.slice(i, i + TILES_AT_ONCE);
      const read = await Promise.all(
        some.map(({ x, y }) => readTile(toTileAddress(href, { z, x, y }), tilePx, signal)),
      );
      for (const [j, { x, y }] of some.entries()) {
        const heights = read[j] ?? null;
        sink.add({
          pixels: heights ?? empty,
          width: tilePx,
          height: tilePx,
          corner: { x: x * tilePx - window.x, y: y * tilePx - window.y },
          mask: heights === null ? unknown : null,
        });
      }
    }
  };
}

function rangeOf(start: number, length: number, tilePx: number): readonly number[] {
  const first = Math.floor(start / tilePx);
  return Array.from({ length: Math.floor((start + length - 1) / tilePx) - first + 1 }, (_, i) => first + i);
}

/** The bytes of a file; null if there is none. */
async function readWhole(open: OpenSource, href: string, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    const source = await open(href, signal);
    try {
      if (source.size > MAX_FILE_BYTES)
        throw sourceBroken('source-too-large', 'A tile of the pyramid is too large.');
      return await source.read(0, source.size, signal);
    } finally {
      await source.close();
    }
  } catch (error) {
    if (isSwathError(error) && error.code === 'source-gone') return null;
    throw error;
  }
}

/** Heights of a tile: (R × 256 + G + B / 256) − 32768 metres (Tilezen, "Terrarium"). */
function toHeights(
  { rgb, width, height }: { readonly rgb: Uint8Array; readonly width: number; readonly height: number },
  tilePx: number,
): Float32Array {
  if (width !== tilePx || height !== tilePx)
    throw sourceBroken('source-differs', 'A tile of the pyramid has another size than the others.');
  const heights = new Float32Array(width * height);
  for (let i = 0; i < heights.length; i++) {
    heights[i] = rgb[3 * i]! * 256 + rgb[3 * i + 1]! + rgb[3 * i + 2]! / 256 - 32_768;
  }
  return heights;
}
