import { badInput } from '../../../errors.ts';
import { openUnfinished } from '../../../files/index.ts';
import type { Jp2Encoder } from '../openjpeg/openjpeg-encoder.ts';
import { encodeJp2Tile } from './encode-tile.ts';
import { makeJp2Assembly } from './jp2-assembly.ts';
import type { Jp2Options } from './jp2-options.ts';
import { checkOptions } from './jp2-options.ts';

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
