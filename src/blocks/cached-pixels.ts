import type { BlockImage } from '../formats/block-file/index.ts';
import { toBlockNumber } from '../formats/tiff/index.ts';
import { makeLru } from '../lru.ts';
import type { BlockCache } from './cache/block-cache.ts';
import type { FileKey } from './cache/cached-block.ts';
import type { OpenFiles, WindowRequest } from './image-files.ts';
import { countRows, toFileName } from './image-files.ts';

/** How a file at full resolution lies in the cache: what a thread that has opened it tells another one. Plain JSON. */
export interface FileBlocks {
  readonly key: FileKey;
  readonly image: BlockImage;
}

/**
 * The blocks of a file that was opened before. Null for files on the network: there the thread that has them open notices
 * when what it knows of them is lost.
 */
export async function findFileBlocks(
  files: OpenFiles,
  request: WindowRequest,
  signal: AbortSignal,
): Promise<FileBlocks | null> {
  const { file, key } = await files.open(request, signal);
  return file.source.isNear === true ? { key, image: file.levels[0] } : null;
}

/** Single pixels of blocks that some thread has decoded. */
export interface CachedPixels {
  /** Whether the blocks of the request's file are known. */
  knows(request: WindowRequest): boolean;
  learn(request: WindowRequest, blocks: FileBlocks): void;
  /** The sample of a request for one pixel: null if it is empty, undefined if its block is not in the cache. */
  find(request: WindowRequest): number | null | undefined;
}

/** Files whose blocks are known; a few hundred bytes each. */
const MAX_FILES = 2_048;

/** Builds the reader of cached pixels. It takes microseconds and opens nothing, so it may run on the main thread. */
export function makeCachedPixels(cache: Pick<BlockCache, 'withBlock'>): CachedPixels {
  const files = makeLru<FileBlocks>({ max: MAX_FILES });
  return {
    knows: (request) => files.get(toFileName(request)) !== undefined,
    learn: (request, blocks) => files.set(toFileName(request), blocks),
    find(request) {
      const known = files.get(toFileName(request));
      if (known === undefined) return undefined;
      const { key, image } = known;
      const { bandIndex, nodata, read } = request;
      const { x, y } = read.window;
      if (x >= image.width || y >= image.height || bandIndex >= image.bandCount) return undefined;
      const position = {
        band: bandIndex,
        column: Math.floor(x / image.blockWidth),
        row: Math.floor(y / image.blockHeight),
      };
      const number = toBlockNumber(image, position);
      const rows = countRows(read.window, image, position);
      return cache.withBlock({ file: key, level: 0, number }, rows, ({ block, mask }) => {
        const { width, bandCount, firstBand, pixels } = block;
        const at = (y - position.row * image.blockHeight) * width + x - position.column * image.blockWidth;
        const sample = pixels[at * bandCount + bandIndex - firstBand] as number;
        return sample === nodata || Number.isNaN(sample) || mask?.[at] === 0 ? null : sample;
      });
    },
  };
}
