import { isSwathError, SwathError, sourceBroken } from '../errors.ts';
import type { Block, BlockFile, BlockImage, BlockPlace, Jp2Decoder } from '../formats/index.ts';
import { openBlockFile, toBandPixels } from '../formats/index.ts';
import type { PixelArray, PixelWindow } from '../raster/index.ts';
import type { OpenSource } from '../storage/index.ts';
import { makeByteLru } from './byte-lru.ts';
import type { BandPlan, LevelWindow } from './plan.ts';
import { makeAssembly } from './window-assembly.ts';

/** The pixels of a window of one band, as the file stores them. */
export interface BandWindow {
  readonly pixels: PixelArray;
  /** 1 where there is data; null when everywhere. */
  readonly mask: Uint8Array | null;
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
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
}

/** Files kept open in one thread; each holds a descriptor and its block index. */
const MAX_OPEN_FILES = 64;

/** Blocks asked for at once: enough for ranges to be merged, few enough that a large window stays small in memory. */
const BLOCKS_AT_ONCE = 16;

/** Builds the reader of one thread, with its caches of opened files and decoded blocks. A failure is never cached. */
export function makeBandReader({ open, cacheBytes, jp2Decoder }: BandReaderDeps): ReadWindow {
  const files = makeByteLru<BlockFile>(MAX_OPEN_FILES, ({ source }) => void source.close());
  const blocks = makeByteLru<MaskedBlock>(cacheBytes);

  return async (request, signal) => {
    try {
      return await readWindow(request, signal);
    } catch (error) {
      // The file was replaced while we read it: what is there now is read instead, once.
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
      return readWindow(request, signal);
    }
  };

  async function readWindow(request: WindowRequest, signal: AbortSignal): Promise<BandWindow> {
    const { band, bandIndex, read, nodata } = request;
    const { window, level } = read;
    let where = 'header';
    try {
      const file = await openFile(request, signal);
      const image = file.levels[level];
      if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) {
        throw sourceBroken('source-differs', 'A file of this scene is not what the catalog says it is.');
      }
      const assembly = makeAssembly(window, image.type);
      const places = placesOf(window, image, bandIndex);
      for (let i = 0; i < places.length; i += BLOCKS_AT_ONCE) {
        const some = places.slice(i, i + BLOCKS_AT_ONCE);
        where = `level ${level}, blocks ${some.map(({ column, row }) => `${column}/${row}`).join(' ')}`;
        const found = await Promise.all(
          some.map((place) => findBlock(file, { level, place }, request, signal)),
        );
        for (const [n, { column, row }] of some.entries()) {
          const { block, mask } = found[n] as MaskedBlock;
          const corner = { x: column * image.blockWidth - window.x, y: row * image.blockHeight - window.y };
          assembly.add({
            pixels: toBandPixels(block, bandIndex),
            width: block.width,
            height: block.height,
            corner,
            mask,
          });
        }
      }
      return assembly.finish(nodata);
    } catch (error) {
      // The file may be mended or replaced under its name: the next reader opens it anew.
      if (!isSwathError(error) || error.tag !== 'cancelled') files.delete(fileKey(request));
      throw nameFault(error, `${request.viewId} ${band} ${where}`);
    }
  }

  async function openFile(request: WindowRequest, signal: AbortSignal): Promise<BlockFile> {
    const key = fileKey(request);
    const known = files.get(key);
    if (known !== undefined) return known;
    const source = await open(request.href);
    try {
      const file = await openBlockFile(source, { jp2Decoder, signal });
      files.set(key, file, 1);
      return file;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async function findBlock(
    file: BlockFile,
    { level, place }: { readonly level: number; readonly place: BlockPlace },
    request: WindowRequest,
    signal: AbortSignal,
  ): Promise<MaskedBlock> {
    // The version is of the opened bytes: blocks of a replaced file never mix with those of the new one.
    const key = `${fileKey(request)} ${file.source.version} ${level} ${file.blockNumber(level, place)}`;
    const known = blocks.get(key);
    if (known !== undefined) return known;
    const block = await file.readBlock(level, place, signal);
    const masked = { block, mask: await file.readMask(level, place, block, signal) };
    blocks.set(key, masked, block.pixels.byteLength + (masked.mask?.byteLength ?? 0));
    return masked;
  }
}

/** A decoded block with the file's own word on where it has data. */
interface MaskedBlock {
  readonly block: Block;
  readonly mask: Uint8Array | null;
}

/** The blocks that a window touches, row by row. */
function placesOf(
  window: PixelWindow,
  { blockWidth, blockHeight }: BlockImage,
  band: number,
): readonly BlockPlace[] {
  const places: BlockPlace[] = [];
  const [lastX, lastY] = [window.x + window.width - 1, window.y + window.height - 1];
  for (let row = Math.floor(window.y / blockHeight); row <= Math.floor(lastY / blockHeight); row += 1) {
    for (
      let column = Math.floor(window.x / blockWidth);
      column <= Math.floor(lastX / blockWidth);
      column += 1
    ) {
      places.push({ band, column, row });
    }
  }
  return places;
}

const fits = (window: PixelWindow, image: BlockImage): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;

/** A scene that changed is another file, whatever it is called. */
const fileKey = ({ sceneVersion, href }: WindowRequest): string => `${sceneVersion} ${href}`;

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
