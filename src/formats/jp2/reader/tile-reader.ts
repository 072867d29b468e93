import { isSwathError } from '../../../errors.ts';
import type { PixelArray, PixelType } from '../../../raster/index.ts';
import { bytesPerSample } from '../../../raster/index.ts';
import { badInput, unsupported } from '../../errors.ts';
import type { Block } from '../../tiff/blocks/block-reader.ts';
import type { Span } from '../headers/main-header.ts';
import { atLevel, spanAtLevel, toSpan } from '../headers/main-header.ts';
import { MAX_DECODED_SAMPLES } from '../limits.ts';
import type { Jp2Decoder } from '../openjpeg.ts';
import type { Jp2 } from './jp2-reader.ts';
import type { TileHabits } from './read-tile-data.ts';
import { checkPieces, makeTileHabits, readLevelData, readWholeTile } from './read-tile-data.ts';
import type { TileData } from './tile-codestream.ts';
import { findTwin, toTileCodestream } from './tile-codestream.ts';

/** Which tile at which level, counted from 0; level 0 is the full resolution, each next has half of it. */
export interface TilePosition {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

interface ReadOptions {
  readonly decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
  /** Those of the opened file; without them, each tile is read as if it were the first. */
  readonly habits?: TileHabits;
}

const isInside = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count;

/**
 * Reads and decodes one tile, all of its bands pixel by pixel. A tile that is damaged or cut off is an error as far as
 * the decoder can tell: entropy-coded data carry no checksum. At small levels a tile may have no pixels.
 */
export async function readJp2Tile(
  jp2: Jp2,
  position: TilePosition,
  { decoder, signal, habits = makeTileHabits() }: ReadOptions,
): Promise<Block> {
  const { level, column, row } = position;
  if (
    !isInside(level, jp2.resolutions) ||
    !isInside(column, jp2.tilesAcross) ||
    !isInside(row, jp2.tilesDown)
  ) {
    throw badInput('bad-block', `The image has no tile in level ${level}, column ${column}, row ${row}.`);
  }
  const { header, bandCount, type, bitsPerSample, isSigned } = jp2;
  const across = { tileSide: jp2.tileWidth, imageSide: jp2.width };
  const down = { tileSide: jp2.tileHeight, imageSide: jp2.height };
  const spanX = toSpan(column, across.tileSide, across.imageSide);
  const spanY = toSpan(row, down.tileSide, down.imageSide);
  const twinX = findTwin(column, across, header.style, 'x');
  const twinY = findTwin(row, down, header.style, 'y');
  const left = twinX * jp2.tileWidth;
  const top = twinY * jp2.tileHeight;
  const width = left + spanX.end - spanX.start;
  const height = top + spanY.end - spanY.start;
  const stride = atLevel(width, level);
  const samples = stride * atLevel(height, level) * bandCount;
  if (samples > MAX_DECODED_SAMPLES) {
    throw unsupported(
      'jp2-tile-too-large',
      `A tile of this JPEG 2000 file takes ${samples} samples to decode; at most ${MAX_DECODED_SAMPLES} are read.`,
    );
  }

  checkPieces(spanX, spanY, header.style, bandCount);

  const tile = row * jp2.tilesAcross + column;
  const lone = {
    size: jp2,
    width,
    height,
    newTile: twinY * (twinX + 1) + twinX,
    segments: header.segments,
  };
  const decodeAt = (at: number, data: TileData, isPoisoned: boolean): Promise<ArrayBuffer> => {
    signal?.throwIfAborted();
    const byteLength = atLevel(width, at) * atLevel(height, at) * bandCount * bytesPerSample[type];
    const codestream = toTileCodestream({ ...lone, data, isPoisoned });
    return decoder.decode({
      codestream,
      level: at,
      width,
      height,
      bandCount,
      bitsPerSample,
      isSigned,
      byteLength,
    });
  };
  const cutAt = (at: number) => ({
    x: spanAtLevel({ start: left, end: width }, at),
    y: spanAtLevel({ start: top, end: height }, at),
  });
  const isEmpty = ({ x, y }: ReturnType<typeof cutAt>) => x.start === x.end || y.start === y.end;

  // Data that end between two packets decode without complaint, to a coarser picture. Packets of all levels are
  // walked even for the smallest, so this costs little (1 ms of 240 for a Sentinel-2 tile).
  let smallest = jp2.resolutions - 1;
  while (isEmpty(cutAt(smallest))) smallest--;
  const cut = cutAt(level);
  const decodeData = async (data: TileData): Promise<ArrayBuffer> => {
    await decodeAt(smallest, data, true);
    // the decoder takes a tile without pixels for damage
    return isEmpty(cut) ? new ArrayBuffer(0) : decodeAt(level, data, false);
  };
  const decoded = await readAndDecode();
  return {
    width: cut.x.end - cut.x.start,
    height: cut.y.end - cut.y.start,
    firstBand: 0,
    bandCount,
    type,
    pixels: cutPixels(decoded, { ...cut, stride, bandCount, type }),
  };

  async function readAndDecode(): Promise<ArrayBuffer> {
    const part = await readLevelData(jp2, { tile, level, x: spanX, y: spanY }, { habits, signal });
    if (part !== null) {
      try {
        return await decodeData(part);
      } catch (error) {
        // What is wrong with a part may be all right with the whole: the decoder judges that.
        if (!isSwathError(error) || error.code !== 'jp2-decode') throw error;
        habits.noteOpaque();
      }
    }
    return decodeData(await readWholeTile(jp2, tile, signal));
  }
}

/** Where the tile lies in what was decoded. */
interface Cut {
  readonly x: Span;
  readonly y: Span;
  /** Pixels of one decoded row. */
  readonly stride: number;
  readonly bandCount: number;
  readonly type: PixelType;
}

function toPixels(bytes: ArrayBuffer, type: PixelType): PixelArray {
  switch (type) {
    case 'uint8':
      return new Uint8Array(bytes);
    case 'uint16':
      return new Uint16Array(bytes);
    case 'int16':
      return new Int16Array(bytes);
    default:
      throw new Error(`JPEG 2000 has no ${type} pixels`);
  }
}

/** The tile's pixels alone; the decoded array itself when it holds nothing else. */
function cutPixels(decoded: ArrayBuffer, { x, y, stride, bandCount, type }: Cut): PixelArray {
  const all = toPixels(decoded, type);
  if ((x.start === 0 && y.start === 0) || all.length === 0) return all;
  const rowSamples = (x.end - x.start) * bandCount;
  const out = all.slice(0, rowSamples * (y.end - y.start));
  for (let row = y.start; row < y.end; row++) {
    const from = (row * stride + x.start) * bandCount;
    out.set(all.subarray(from, from + rowSamples), (row - y.start) * rowSamples);
  }
  return out;
}
