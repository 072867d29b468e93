import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSwathError, sourceBroken } from '../errors.ts';
import { makeBufferPool } from '../files/index.ts';
import type { BlockImage, BlockPosition, Jp2Decoder, StoredRange } from '../formats/index.ts';
import { toBandPixels } from '../formats/index.ts';
import type { PieceSink, PixelWindow } from '../raster/index.ts';
import { SCENE_FILES } from '../sources/index.ts';
import type { WindowRequest } from './band-file.ts';
import type { BlockCache, BlockNeed } from './cache/index.ts';
import { makeUseBlock } from './cache/index.ts';
import { nameFault } from './name-fault.ts';
import type { OpenImage } from './open-files.ts';
import { makeOpenFiles } from './open-files.ts';
import { readBlockRows } from './read-block-rows.ts';
import { blockBytes, checkCost, countRows, fits, listBlocks } from './window-blocks.ts';

/**
 * Reads windows of bands: every pixel of the window goes into the sink, in pieces. After a failure nothing more is
 * added.
 */
export type ReadWindow = (
  request: WindowRequest,
  sink: PieceSink,
  signal: AbortSignal,
  options?: ReadOptions,
) => Promise<void>;

/** How a window is read. */
export interface ReadOptions {
  /**
   * For a job of another thread, which begins with the first block: from the last block on, without those that are cached
   * or that another thread decodes. Nothing of them goes into the sink.
   */
  readonly isHelp?: boolean;
}

interface ReadWindowDeps {
  readonly open: OpenImage;
  /** Decoded blocks, shared with other threads. */
  readonly blocks: BlockCache;
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
}

/** Memory retained between blocks on their way into the cache. */
const MAX_LENT_BYTES = 8 * 2 ** 20;

/** Blocks requested at once: enough for ranges to be merged, few enough that a large window needs little memory. */
const BLOCKS_AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 2 ** 20;
/** Node reads as many ranges of local files at the same time. */
const READING_THREADS = 4;

/** Builds the reader of one thread, with its cache of opened files. A failure is never cached. */
export function makeReadWindow({ open, blocks, jp2Decoder }: ReadWindowDeps): ReadWindow {
  const files = makeOpenFiles({ open, jp2Decoder });
  const useBlock = makeUseBlock(blocks);
  const buffers = makeBufferPool(MAX_LENT_BYTES);

  return readWindow;

  async function readWindow(
    request: WindowRequest,
    sink: PieceSink,
    signal: AbortSignal,
    { isHelp = false }: ReadOptions = {},
  ): Promise<void> {
    const { band, bandIndex, read } = request;
    const { window, level } = read;
    let where = 'header';
    let isOver = false;
    /** The block that failed first. */
    const name = (position: BlockPosition): void => {
      if (!isOver) where = `level ${level}, block ${position.column}/${position.row}`;
      isOver = true;
    };
    try {
      const opened = await files.open(request, signal);
      const image = opened.file.levels[level];
      if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) {
        throw sourceBroken.about('source-differs', '{file} is not what the catalog says it is.', {
          subject: SCENE_FILES,
        });
      }
      sink.begin();
      const addBlock = async (position: BlockPosition): Promise<void> => {
        const corner = {
          x: position.column * image.blockWidth - window.x,
          y: position.row * image.blockHeight - window.y,
        };
        const wish = {
          key: { file: opened.key, level, number: opened.file.blockNumber(level, position) },
          rows: countRows(window, image, position),
          signal,
          isCached: isHelp || request.isOnce !== true || !isInside(corner, window, image),
          isHelp,
          read: (need: BlockNeed) => readBlockRows(opened, { level, position }, { ...need, buffers }),
        };
        try {
          await useBlock(wish, ({ block, mask }) => {
            // Another block of this window failed meanwhile: the memory of the sink may have been reused by now.
            if (isOver || isHelp) return;
            const pixels = toBandPixels(block, bandIndex);
            sink.add({ pixels, width: block.width, height: block.height, corner, mask });
          });
        } catch (error) {
          name(position);
          throw error;
        }
      };
      const listed = listBlocks(window, image, bandIndex);
      checkCost(listed.length, image);
      const positions = isHelp ? listed.toReversed() : listed;
      const isNear = opened.file.source.isNear === true;
      const atOnce = countAtOnce(image, isNear);
      const isReady = (position: BlockPosition): boolean =>
        !isNear && isHere(opened.file.storedRanges(level, position));
      const { here = [], elsewhere = [] } = Object.groupBy(positions, (position) =>
        isReady(position) ? 'here' : 'elsewhere',
      );
      const addEach = async (): Promise<void> => {
        for (const position of here) {
          if (isOver) return;
          await addBlock(position);
          // Between blocks a message may come that ends the help.
          if (isHelp) await nextTurn(undefined, { signal });
        }
      };
      const addTogether = async (): Promise<void> => {
        for (let i = 0; i < elsewhere.length; i += atOnce)
          await Promise.all(elsewhere.slice(i, i + atOnce).map(addBlock));
      };
      await Promise.all([addEach(), addTogether()]);
    } catch (error) {
      // The file may be fixed or replaced under its name: the next reader opens it again.
      if (!isSwathError(error) || error.tag !== 'cancelled') files.forget(request);
      throw nameFault(error, `${request.record.name} ${band} ${where}`);
    } finally {
      isOver = true;
    }
  }
}

function countAtOnce(image: BlockImage, isNear: boolean): number {
  const fitting = (bytes: number): number => Math.max(1, Math.floor(bytes / blockBytes(image)));
  const max = Math.min(BLOCKS_AT_ONCE, fitting(BYTES_AT_ONCE));
  // Ranges of a local file are not merged: more than the retained memory would be allocated again and again.
  return isNear ? Math.min(max, Math.max(READING_THREADS, fitting(MAX_LENT_BYTES))) : max;
}

/**
 * Whether the stored bytes of a block are in memory: then nothing is won by asking for several at once, and those that are
 * claimed one by one can be shared with other threads.
 */
const isHere = (ranges: readonly StoredRange[]): boolean =>
  ranges.length > 0 &&
  ranges.every(({ source, offset, length }) => source.isKnown?.(offset, length) === true);

/** Whether a block, as far as it lies in the image, lies in the window. */
const isInside = (
  corner: { readonly x: number; readonly y: number },
  window: PixelWindow,
  { blockWidth, blockHeight, width, height }: BlockImage,
): boolean =>
  corner.x >= 0 &&
  corner.y >= 0 &&
  Math.min(corner.x + blockWidth, width - window.x) <= window.width &&
  Math.min(corner.y + blockHeight, height - window.y) <= window.height;
