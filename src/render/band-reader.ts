import { isSwathError, SwathError, sourceBroken } from '../errors.ts';
import type { Block, Tiff } from '../formats/index.ts';
import { openTiff, readBlock, toBandPixels, toBlockNumber } from '../formats/index.ts';
import type { PixelArray, PixelWindow } from '../raster/index.ts';
import type { OpenSource } from '../storage/index.ts';
import { makeByteLru } from './byte-lru.ts';
import type { BandPlan, LevelWindow } from './plan.ts';

/** The pixels of a window of one band. */
export interface BandWindow {
  readonly values: Float32Array;
  /** 1 where there is data. */
  readonly mask: Uint8Array;
}

/** Which band of which scene, where in it. */
export interface WindowRequest extends BandPlan {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly read: LevelWindow;
}

/** Reads windows of bands. */
export type ReadWindow = (request: WindowRequest, signal: AbortSignal) => Promise<BandWindow>;

interface BandReaderDeps {
  readonly open: OpenSource;
  /** Memory for decoded blocks. */
  readonly cacheBytes: number;
}

/** Files kept open in one thread; each holds a descriptor and its block index. */
const MAX_OPEN_FILES = 64;

/** Builds the reader of one thread, with its caches of opened files and decoded blocks. A failure is never cached. */
export function makeBandReader({ open, cacheBytes }: BandReaderDeps): ReadWindow {
  const files = makeByteLru<Tiff>(MAX_OPEN_FILES, ({ source }) => void source.close());
  const blocks = makeByteLru<Block>(cacheBytes);

  return async (request, signal) => {
    const { band, bandIndex, read, nodata, shift } = request;
    const { window, level } = read;
    const values = new Float32Array(window.width * window.height);
    const mask = new Uint8Array(values.length);
    let where = 'its header';
    try {
      const file = await openFile(request, signal);
      const image = file.images[level];
      if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) {
        throw sourceBroken('source-differs', 'A file of this scene is not what the catalog says it is.');
      }
      const [firstColumn, firstRow] = [
        Math.floor(window.x / image.blockWidth),
        Math.floor(window.y / image.blockHeight),
      ];
      const lastColumn = Math.floor((window.x + window.width - 1) / image.blockWidth);
      const lastRow = Math.floor((window.y + window.height - 1) / image.blockHeight);
      for (let row = firstRow; row <= lastRow; row += 1) {
        for (let column = firstColumn; column <= lastColumn; column += 1) {
          where = `block ${column},${row} of level ${level}`;
          const block = await findBlock(file, { level, bandIndex, column, row }, request, signal);
          const place = { x: column * image.blockWidth - window.x, y: row * image.blockHeight - window.y };
          copyBlock({
            pixels: toBandPixels(block, bandIndex),
            block,
            place,
            window,
            values,
            mask,
            nodata,
            shift,
          });
        }
      }
    } catch (error) {
      // The file may be mended or replaced under its name: the next reader opens it anew.
      if (!isSwathError(error) || error.tag !== 'cancelled') files.delete(fileKey(request));
      throw nameFault(error, `${request.viewId} ${band} ${where}`);
    }
    return { values, mask };
  };

  async function openFile(request: WindowRequest, signal: AbortSignal): Promise<Tiff> {
    const key = fileKey(request);
    const known = files.get(key);
    if (known !== undefined) return known;
    const source = await open(request.href);
    try {
      const file = await openTiff(source, signal);
      files.set(key, file, 1);
      return file;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  interface BlockKey {
    readonly level: number;
    readonly bandIndex: number;
    readonly column: number;
    readonly row: number;
  }

  async function findBlock(
    file: Tiff,
    at: BlockKey,
    request: WindowRequest,
    signal: AbortSignal,
  ): Promise<Block> {
    const image = file.images[at.level] as Tiff['images'][0];
    const place = { band: at.bandIndex, column: at.column, row: at.row };
    // The version is of the opened bytes: blocks of a replaced file never mix with those of the new one.
    const key = `${fileKey(request)} ${file.source.version} ${at.level} ${toBlockNumber(image, place)}`;
    const known = blocks.get(key);
    if (known !== undefined) return known;
    const block = await readBlock(file, image, place, signal);
    blocks.set(key, block, block.pixels.byteLength);
    return block;
  }
}

const fits = (window: PixelWindow, image: { readonly width: number; readonly height: number }): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;

/** A scene that changed is another file, whatever it is called. */
const fileKey = ({ sceneVersion, href }: WindowRequest): string => `${sceneVersion} ${href}`;

interface CopyJob {
  readonly pixels: PixelArray;
  readonly block: Block;
  /** Upper left corner of the block in the window's pixels; negative when it begins outside. */
  readonly place: { readonly x: number; readonly y: number };
  readonly window: PixelWindow;
  readonly values: Float32Array;
  readonly mask: Uint8Array;
  readonly nodata: number | null;
  readonly shift: number;
}

/** Copies the part of a block that lies in the window, and notes where it has data. */
function copyBlock({ pixels, block, place, window, values, mask, nodata, shift }: CopyJob): void {
  const [left, top] = [Math.max(0, place.x), Math.max(0, place.y)];
  const right = Math.min(window.width, place.x + block.width);
  const bottom = Math.min(window.height, place.y + block.height);
  for (let y = top; y < bottom; y += 1) {
    let from = (y - place.y) * block.width + (left - place.x);
    for (let to = y * window.width + left; to < y * window.width + right; to += 1, from += 1) {
      const value = pixels[from] as number;
      values[to] = value + shift;
      // NaN never equals anything, itself included, so it is asked for by name.
      mask[to] = value === nodata || Number.isNaN(value) ? 0 : 1;
    }
  }
}

/** Says in the log which scene, band and block failed; the user's sentence stays as it is. */
function nameFault(error: unknown, where: string): Error {
  if (isSwathError(error)) {
    return new SwathError(error.tag, error.code, error.message, {
      cause: error,
      details: { ...error.details, where },
    });
  }
  return new Error(`reading ${where}`, { cause: error });
}
