import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSwathError } from '../errors.ts';
import type { BufferPool } from '../files/index.ts';
import { makeBufferPool } from '../files/index.ts';
import type { BlockFile, BlockImage, StoredRange } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import type { BlockPosition } from '../formats/tiff/index.ts';
import { toBandPixels, toBlockNumber } from '../formats/tiff/index.ts';
import type { JobFigures } from '../pool/index.ts';
import type { PieceSink, PixelArray, PixelWindow } from '../raster/index.ts';
import { bytesPerSample, viewPixels } from '../raster/index.ts';
import type { ByteSource, OpenSource } from '../sources/index.ts';
import type { BlockCache } from './cache/block-cache.ts';
import type { FreshBlock, MaskedBlock, StoredBlock } from './cache/cached-block.ts';
import type { BlockNeed } from './cache/use-block.ts';
import { makeUseBlock } from './cache/use-block.ts';
import type { OpenFiles, OpenImage, VerifiedFile, WindowRequest } from './image-files.ts';
import {
  blockBytes,
  checkCost,
  countRows,
  levelOf,
  listBlocks,
  makeOpenFiles,
  nameFault,
} from './image-files.ts';

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
interface ReadOptions {
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
  /** The thread's open files; a cache of its own by default. */
  readonly files?: OpenFiles;
  /** Counts the blocks of windows; no one by default. */
  readonly tally?: Pick<ReadTally, 'addBlock'>;
}

/** Memory retained between blocks on their way into the cache. */
const MAX_LENT_BYTES = 8 * 2 ** 20;

/** Blocks requested at once: enough for ranges to be merged, few enough that a large window needs little memory. */
const BLOCKS_AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 2 ** 20;
/** Ranges of local files that Node reads at the same time. */
const READING_THREADS = 4;

/** Builds the reader of one thread, with its cache of opened files. A failure is never cached. */
export function makeReadWindow({
  open,
  blocks,
  jp2Decoder,
  files = makeOpenFiles({ open, jp2Decoder }),
  tally,
}: ReadWindowDeps): ReadWindow {
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
      const image = levelOf(opened.file, request);
      sink.begin();
      const addBlock = async (position: BlockPosition): Promise<void> => {
        const corner = {
          x: position.column * image.blockWidth - window.x,
          y: position.row * image.blockHeight - window.y,
        };
        const key = { file: opened.key, level, number: toBlockNumber(image, position) };
        const rows = countRows(window, image, position);
        let isDecoded = false;
        const add = ({ block, mask }: MaskedBlock): true => {
          // Another block of this window has failed, so the memory of the sink may belong to another job by now.
          if (isOver || isHelp) return true;
          const pixels = toBandPixels(block, bandIndex);
          sink.add({ pixels, width: block.width, height: block.height, corner, mask });
          return true;
        };
        const wish = {
          key,
          rows,
          signal,
          isCached: isHelp || request.isOnce !== true || !isInside(corner, window, image),
          isHelp,
          read(need: BlockNeed) {
            isDecoded = true;
            return readBlockRows(opened, { level, position }, { ...need, buffers });
          },
        };
        try {
          // Most blocks are cached, and need nothing of what keeps reads from meeting each other.
          if (blocks.withBlock(key, rows, add) === undefined) await useBlock(wish, add);
          tally?.addBlock(isDecoded ? 'decoded' : 'cached');
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
 * Whether the stored bytes of a block are in memory: then reading several at once gains nothing, and blocks that are
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

/** Blocks are read in eighths: finer steps would read their last stored bytes again more often than they save. */
const PARTS = 8;

interface BlockAt {
  readonly level: number;
  readonly position: BlockPosition;
}

/**
 * Reads a block as far as it is needed, into leased memory, continuing from the cached part. The first time all of it
 * is decoded: the checksum is at the end, and undetected damage would be shown as pixels.
 */
async function readBlockRows(
  { file, verified }: VerifiedFile,
  { level, position }: BlockAt,
  { rows, withKnown, signal, buffers }: BlockNeed & { readonly buffers: BufferPool },
): Promise<FreshBlock> {
  const image = file.levels[level] as BlockImage;
  const name = `${level} ${toBlockNumber(image, position)}`;
  const leased = leaseRows(file, { level, position }, buffers);
  const known = leased === null ? null : (withKnown((cached) => copyRows(cached, leased.pixels)) ?? null);
  const from = known ?? (leased === null ? null : startIn(leased.pixels));
  const step = Math.ceil(image.blockHeight / PARTS);
  // Continuing with a block reads the rest of it again, which over a network costs more than decoding all of it at
  // once.
  const isEnough = file.source.isNear === true && (known !== null || verified.has(name));
  const wanted = isEnough ? Math.ceil(rows / step) * step : undefined;
  const { rowsReady, resume, ...block } = await file.readRows(level, position, {
    signal,
    rows: wanted,
    from,
  });
  if (rowsReady === block.height) verified.add(name);
  const mask = await file.readMask(level, position, block, signal);
  const isLeased = block.pixels === leased?.pixels;
  // Codecs that cannot decode row by row bring their own memory.
  if (!isLeased) leased?.release();
  return {
    block,
    mask,
    rowsReady,
    resume: resume === null ? undefined : [resume.headerBit, resume.bit, resume.outBytes, resume.sum],
    release: isLeased ? leased.release : undefined,
  };
}

const startIn = (pixels: PixelArray) => ({ pixels, rowsReady: 0, resume: null });

/** Memory for all rows of a block; null when its decoder would not use it. */
function leaseRows(file: BlockFile, { level, position }: BlockAt, buffers: BufferPool) {
  const needed = file.blockBuffer(level, position);
  if (needed === null) return null;
  const { type, samples } = needed;
  const buffer = buffers.lease(samples * bytesPerSample[type]);
  return { pixels: viewPixels(type, buffer, samples), release: () => buffers.release(buffer) };
}

/** Copies the decoded rows, because other threads read those in the cache. */
function copyRows({ block, rowsReady, resume }: StoredBlock, pixels: PixelArray) {
  if (rowsReady === block.height || block.pixels.length !== pixels.length) return null;
  pixels.set(block.pixels.subarray(0, rowsReady * block.width * block.bandCount));
  const [headerBit, bit, outBytes, sum] = resume;
  return { pixels, rowsReady, resume: { headerBit, bit, outBytes, sum } };
}

/** What a thread has read since it was last asked. */
export interface ReadTally {
  /** Counts a block of a window: decoded here, or found in the cache of all threads. */
  addBlock(how: 'decoded' | 'cached'): void;
  /** Counts the bytes that are read of the files it opens. */
  countBytes(open: OpenSource): OpenSource;
  /** The figures, which then begin at zero again. */
  take(): JobFigures;
}

/** Builds the tally of one thread, which runs one job at a time. */
export function makeReadTally(): ReadTally {
  let [decodedBlocks, cachedBlocks, readBytes] = [0, 0, 0];
  const add = (length: number): void => {
    readBytes += length;
  };
  return {
    addBlock(how) {
      if (how === 'decoded') decodedBlocks += 1;
      else cachedBlocks += 1;
    },
    countBytes: (open) => async (href, signal, known) => withCount(await open(href, signal, known), add),
    take() {
      const figures = { decodedBlocks, cachedBlocks, readBytes };
      [decodedBlocks, cachedBlocks, readBytes] = [0, 0, 0];
      return figures;
    },
  };
}

/** A source that reports the length of everything that is read of it. */
function withCount(source: ByteSource, add: (length: number) => void): ByteSource {
  const { read, readOnce, readInto, withBytes } = source;
  const counted: { -readonly [Key in keyof ByteSource]: ByteSource[Key] } = {
    ...source,
    read(offset, length, signal) {
      add(length);
      return read.call(source, offset, length, signal);
    },
  };
  if (readOnce !== undefined)
    counted.readOnce = (offset, length, signal) => {
      add(length);
      return readOnce.call(source, offset, length, signal);
    };
  if (readInto !== undefined)
    counted.readInto = (target, offset, signal) => {
      add(target.length);
      return readInto.call(source, target, offset, signal);
    };
  if (withBytes !== undefined)
    counted.withBytes = (range, use, signal) => {
      add(range.length);
      return withBytes.call(source, range, use, signal) as never;
    };
  return counted;
}
