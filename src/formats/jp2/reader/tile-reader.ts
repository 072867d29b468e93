import { badInput, sourceBroken, unsupported } from '../../../errors.ts';
import { bytesPerSample } from '../../../raster/index.ts';
import type { Block } from '../../tiff/index.ts';
import { MAX_DECODED_SAMPLES, MAX_STORED_BYTES } from '../limits.ts';
import type { Jp2Decoder } from '../openjpeg/openjpeg-decoder.ts';
import type { Jp2 } from './jp2-reader.ts';
import { toTileCodestream } from './tile-codestream.ts';
import { atLevel, spanAtLevel, toSpan } from './tile-grid.ts';
import { findTwin } from './tile-move.ts';
import { checkPieces } from './tile-pieces.ts';
import { cutPixels } from './tile-pixels.ts';

/** Which tile at which level, counted from 0; level 0 is the full resolution, each next has half of it. */
export interface TilePosition {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

interface ReadOptions {
  readonly decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
}

const isInside = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count;

/**
 * Reads and decodes one tile, all of its bands pixel by pixel. A tile that is damaged or cut off is an error as far as
 * the decoder can tell: entropy-coded data carry no checksum. At small levels a tile may have no pixels.
 */
export async function readJp2Tile(
  jp2: Jp2,
  position: TilePosition,
  { decoder, signal }: ReadOptions,
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

  const lone = {
    size: jp2,
    width,
    height,
    tile: row * jp2.tilesAcross + column,
    newTile: twinY * (twinX + 1) + twinX,
    segments: header.segments,
    parts: await readParts(jp2, row * jp2.tilesAcross + column, signal),
  };
  const decodeAt = (at: number, isPoisoned: boolean): Promise<ArrayBuffer> => {
    signal?.throwIfAborted();
    const byteLength = atLevel(width, at) * atLevel(height, at) * bandCount * bytesPerSample[type];
    const codestream = toTileCodestream({ ...lone, isPoisoned });
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
  await decodeAt(smallest, true);
  const cut = cutAt(level);
  // the decoder takes a tile without pixels for damage
  const decoded = isEmpty(cut) ? new ArrayBuffer(0) : await decodeAt(level, false);
  return {
    width: cut.x.end - cut.x.start,
    height: cut.y.end - cut.y.start,
    firstBand: 0,
    bandCount,
    type,
    pixels: cutPixels(decoded, { ...cut, stride, bandCount, type }),
  };
}

async function readParts(jp2: Jp2, tile: number, signal: AbortSignal | undefined): Promise<Uint8Array[]> {
  const parts = jp2.tileParts[tile]!;
  const storedBytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (storedBytes > MAX_STORED_BYTES) {
    throw sourceBroken(
      'jp2-tile-too-long',
      `Tile ${tile} of the JPEG 2000 file has ${storedBytes} bytes; at most ${MAX_STORED_BYTES} are read.`,
    );
  }
  return Promise.all(parts.map(({ offset, length }) => jp2.source.read(offset, length, signal)));
}
