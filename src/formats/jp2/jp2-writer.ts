import { throwIfCancelled } from '../../async/index.ts';
import type { OutputFile, OutputFiles } from '../../files/index.ts';
import { nodeFiles, openUnfinished, writeWholeFile } from '../../files/index.ts';
import type { Size } from '../../geo/index.ts';
import { badInput, internal, tooLarge } from '../errors.ts';
import { isStorableCode, isUsableTransform } from '../tiff/georeference/georeference.ts';
import type { Jp2Encoder } from './encode-tile.ts';
import { toSizSegment } from './headers/main-header.ts';
import { MAX_SIDE_PX, MAX_TILES, MAX_WRITTEN_BYTES, MAX_WRITTEN_TILE_PX } from './limits.ts';
import type { EncodedTile, WrittenGeoreference, WrittenImage } from './written-file.ts';
import { planDecompositions, splitTile, toFileHead, toTileHead, toTlm } from './written-file.ts';

/** Options of a JP2 file: 1 or 3 bands of up to 16 bits, in square tiles whose side is a power of two. */
export interface Jp2Options extends WrittenImage, WrittenGeoreference {}

/** Samples of a JP2 file: one byte each for up to 8 bits, otherwise two. */
export type Jp2Pixels = Uint8Array | Uint16Array;

/** A JP2 file that is being written; each call is awaited before the next. */
export interface Jp2Writer {
  /** The next `rowCount` rows, top to bottom: one array of `rowCount * width` pixels for each band. */
  writeRows(bands: readonly Jp2Pixels[], rowCount: number): Promise<void>;
  /** Renames the complete file to its final path. */
  finish(): Promise<{ readonly size: number }>;
  /** Gives up and leaves nothing behind; does nothing after `finish`. */
  abort(): Promise<void>;
}

/**
 * Starts a lossless JP2 file at `path`. The encoder knows single tiles only: each is encoded as an image of its own,
 * and since tiles begin at multiples of a power of two their wavelets and code-blocks are cut as in the large image.
 */
export async function createJp2(path: string, options: Jp2Options, encoder: Jp2Encoder): Promise<Jp2Writer> {
  checkOptions(options);
  const { width, height, bandCount, bitsPerSample, tileSize } = options;
  const tilesAcross = Math.ceil(width / tileSize);
  const make = (count: number): Jp2Pixels =>
    bitsPerSample > 8 ? new Uint16Array(count) : new Uint8Array(count);
  const held = Array.from({ length: bandCount }, () => make(width * Math.min(tileSize, height)));
  let rows = 0;
  const unfinished = await openUnfinished(path);
  const assembly = makeJp2Assembly(unfinished.file, options);
  let isOpen = true;

  const storeTile = async (column: number, tileRows: number): Promise<void> => {
    const tileWidth = Math.min(tileSize, width - column * tileSize);
    const samples = gatherTile(held, make(tileWidth * tileRows * bandCount), {
      width,
      tileWidth,
      tileRows,
      left: column * tileSize,
    });
    const size = { width: tileWidth, height: tileRows };
    await assembly.add(await encodeJp2Tile(samples, size, options, encoder));
  };

  return {
    async writeRows(bands, rowCount) {
      checkRows(bands, { ...options, rowCount, rowsLeft: isOpen ? height - rows : 0 });
      for (let row = 0; row < rowCount; row++) {
        const to = (rows % tileSize) * width;
        held.forEach((buffer, band) => {
          buffer.set(bands[band]!.subarray(row * width, (row + 1) * width), to);
        });
        rows++;
        if (rows % tileSize !== 0 && rows !== height) continue;
        const tileRows = ((rows - 1) % tileSize) + 1;
        for (let column = 0; column < tilesAcross; column++) await storeTile(column, tileRows);
      }
    },
    async finish() {
      if (!isOpen || rows < height) {
        throw badInput('jp2-incomplete', `Only ${rows} of ${height} rows are written, or it is closed.`);
      }
      const size = await assembly.finish();
      isOpen = false;
      await unfinished.publish();
      return { size };
    },
    async abort() {
      isOpen = false;
      await unfinished.discard();
    },
  };
}

interface TileWindow {
  readonly width: number;
  readonly left: number;
  readonly tileWidth: number;
  readonly tileRows: number;
}

/** One tile out of rows of the image, its bands pixel by pixel, as bytes of the encoder: little-endian. */
function gatherTile(
  bands: readonly Jp2Pixels[],
  out: Jp2Pixels,
  { width, left, tileWidth, tileRows }: TileWindow,
): Uint8Array {
  const step = bands.length;
  bands.forEach((pixels, band) => {
    for (let row = 0; row < tileRows; row++) {
      const from = row * width + left;
      if (step === 1) out.set(pixels.subarray(from, from + tileWidth), row * tileWidth);
      else for (let x = 0; x < tileWidth; x++) out[(row * tileWidth + x) * step + band] = pixels[from + x]!;
    }
  });
  return new Uint8Array(out.buffer);
}

interface NextRows extends Jp2Options {
  readonly rowCount: number;
  readonly rowsLeft: number;
}

function checkRows(bands: readonly Jp2Pixels[], next: NextRows): void {
  const { rowCount, rowsLeft, width, bandCount, bitsPerSample } = next;
  if (!Number.isInteger(rowCount) || rowCount < 0 || rowCount > rowsLeft) {
    throw badInput('bad-row-count', `${rowCount} rows do not fit: ${rowsLeft} are left.`);
  }
  if (bands.length !== bandCount || bands.some(({ length }) => length !== rowCount * width)) {
    throw badInput('bad-pixel-array', `The rows are ${bandCount} arrays of ${rowCount * width} pixels.`);
  }
  for (const pixels of bands) {
    let bits = 0;
    for (let i = 0; i < pixels.length; i++) bits |= pixels[i]!;
    if (bits >> bitsPerSample !== 0) {
      throw badInput('bad-pixel-bits', `A pixel does not fit into the ${bitsPerSample} bits of the image.`);
    }
  }
}

/** Options of `writeJp2`. */
interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly files?: OutputFiles;
}

/** Writes a JP2 file of tiles that are encoded elsewhere, row by row; durably, and whole or not at all. */
export function writeJp2(
  path: string,
  options: Jp2Options,
  tiles: AsyncIterable<EncodedTile>,
  { signal, files = nodeFiles }: WriteOptions = {},
): Promise<{ readonly size: number }> {
  checkOptions(options);
  return writeWholeFile(
    path,
    async (file) => {
      const assembly = makeJp2Assembly(file, options);
      for await (const tile of tiles) {
        throwIfCancelled(signal);
        await assembly.add(tile);
      }
      return { size: await assembly.finish() };
    },
    { files, signal },
  );
}

/** Encodes the samples of one tile of an image: its bands pixel by pixel, in little-endian order. */
export async function encodeJp2Tile(
  samples: Uint8Array,
  { width, height }: Size,
  image: WrittenImage,
  encoder: Jp2Encoder,
): Promise<EncodedTile> {
  const { bandCount, bitsPerSample } = image;
  const decompositions = planDecompositions(image);
  return splitTile(
    await encoder.encode({ width, height, bandCount, bitsPerSample, decompositions, samples }),
  );
}

/** Smaller tiles would not be halved as often as their larger neighbours. */
const MIN_TILE_PX = 32;

/** Refuses options that make no image, or one that other programs would misread. */
function checkOptions(options: Jp2Options): void {
  const { width, height, bandCount, bitsPerSample, tileSize, epsg, transform } = options;
  const isWhole = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
  const tiles = Math.ceil(width / tileSize) * Math.ceil(height / tileSize);
  if (!isWhole(width, MAX_SIDE_PX) || !isWhole(height, MAX_SIDE_PX)) {
    throw badInput('bad-image-size', `An image needs whole sides from 1, not ${width} × ${height}.`);
  }
  if (bandCount !== 1 && bandCount !== 3) {
    throw badInput('bad-band-count', `A JP2 file has 1 or 3 bands, not ${bandCount}.`);
  }
  if (!isWhole(bitsPerSample, 16)) {
    throw badInput('bad-pixel-bits', `A sample has 1 to 16 bits, not ${bitsPerSample}.`);
  }
  if (
    !isWhole(tileSize, MAX_WRITTEN_TILE_PX) ||
    tileSize < MIN_TILE_PX ||
    (tileSize & (tileSize - 1)) !== 0
  ) {
    throw badInput(
      'bad-block-size',
      `The side of a tile is a power of two from ${MIN_TILE_PX} to ${MAX_WRITTEN_TILE_PX}, not ${tileSize}.`,
    );
  }
  if (tiles > MAX_TILES) {
    throw badInput('bad-block-size', `An image has at most ${MAX_TILES} tiles, not ${tiles}.`);
  }
  if (!isStorableCode(epsg) || !isUsableTransform(transform)) {
    throw badInput(
      'bad-georeference',
      `An image cannot be georeferenced by EPSG code ${epsg} and its transform.`,
    );
  }
}

const SOC = Uint8Array.of(0xff, 0x4f);
const EOC = Uint8Array.of(0xff, 0xd9);

/** A JP2 file that is put together of encoded tiles; each call is awaited before the next. */
interface Jp2Assembly {
  /** The next tile, row by row. */
  add(tile: EncodedTile): Promise<void>;
  /** Writes the beginning of the file, which is known last; returns the bytes of the file. */
  finish(): Promise<number>;
}

/** Starts a file of checked options. */
function makeJp2Assembly(file: OutputFile, options: Jp2Options): Jp2Assembly {
  const { width, height, tileSize } = options;
  const tileBytes = new Uint32Array(Math.ceil(width / tileSize) * Math.ceil(height / tileSize));
  let style: Uint8Array | null = null;
  let tile = 0;
  let end = 0;

  const toHead = (known: Uint8Array, codestreamBytes: number): Uint8Array => {
    const siz = toSizSegment({ ...options, tileWidth: tileSize, tileHeight: tileSize, isSigned: false });
    const main = Buffer.concat([SOC, siz, known, toTlm(tileBytes)]);
    return Buffer.concat([toFileHead(options, options, codestreamBytes), main]);
  };

  return {
    async add(parts) {
      if (style === null) {
        style = new Uint8Array(parts.style);
        // its numbers come later; its length is known
        end = toHead(style, 0).length;
      } else if (Buffer.compare(style, parts.style) !== 0) {
        throw internal('jp2-encode', 'The encoder cut two tiles of an image in different ways.');
      }
      const head = toTileHead(tile, parts.packets.length);
      tileBytes[tile++] = head.length + parts.packets.length;
      await file.write(Buffer.concat([head, parts.packets]), end);
      end += head.length + parts.packets.length;
    },
    async finish() {
      if (style === null || tile !== tileBytes.length) {
        throw internal('jp2-incomplete', `Only ${tile} of ${tileBytes.length} tiles are written.`);
      }
      const mainBytes = toHead(style, 0).length - toFileHead(options, options, 0).length;
      const codestreamBytes = tileBytes.reduce((sum, bytes) => sum + bytes, mainBytes + EOC.length);
      if (codestreamBytes + 8 > MAX_WRITTEN_BYTES) {
        throw tooLarge('jp2-too-large', `A JP2 file of ${codestreamBytes} bytes is over the limit of 4 GiB.`);
      }
      await file.write(EOC, end);
      await file.write(toHead(style, codestreamBytes), 0);
      return end + EOC.length;
    },
  };
}
