import { isSwathError, SwathError, sourceBroken, tooLarge } from '../errors.ts';
import type { BlockImage, BlockPosition, Jp2Decoder } from '../formats/index.ts';
import { openBlockFile, toBandPixels } from '../formats/index.ts';
import { makeLru } from '../lru.ts';
import { makeSingleFlight } from '../pool/index.ts';
import type { PieceSink, PixelWindow } from '../raster/index.ts';
import { bytesPerSample } from '../raster/index.ts';
import type { OpenSource } from '../storage/index.ts';
import { makeBufferPool } from '../storage/index.ts';
import type { WindowRequest } from './band-file.ts';
import type { BlockCache, BlockNeed, FileKey } from './cache/index.ts';
import { makeUseBlock, toFileKey } from './cache/index.ts';
import type { VerifiedFile } from './read-block-rows.ts';
import { readBlockRows } from './read-block-rows.ts';

/**
 * Reads windows of bands: every pixel of the window goes into the sink, in pieces. After a failure nothing more is
 * added.
 */
export type ReadWindow = (request: WindowRequest, sink: PieceSink, signal: AbortSignal) => Promise<void>;

interface ReadWindowDeps {
  readonly open: OpenSource;
  /** Decoded blocks, shared with other threads. */
  readonly blocks: BlockCache;
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
}

/** Files held open in one thread; each has a descriptor and its block index. */
const MAX_OPEN_FILES = 64;

/** Memory retained between blocks on their way into the cache. */
const MAX_LENT_BYTES = 8 * 2 ** 20;

/** Blocks requested at once: enough for ranges to be merged, few enough that a large window needs little memory. */
const BLOCKS_AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 2 ** 20;
/** Node reads as many ranges of local files at the same time. */
const READING_THREADS = 4;
/** The max decoded for one window: about a second's work. */
const MAX_DECODED_BYTES = 256 * 2 ** 20;

/** Builds the reader of one thread, with its cache of opened files. A failure is never cached. */
export function makeReadWindow({ open, blocks, jp2Decoder }: ReadWindowDeps): ReadWindow {
  const files = makeLru<OpenedFile>({
    max: MAX_OPEN_FILES,
    onDrop: ({ file }) => void file.source.close(),
  });
  const opening = makeSingleFlight<OpenedFile>();
  const useBlock = makeUseBlock(blocks);
  const buffers = makeBufferPool(MAX_LENT_BYTES);

  return readWindow;

  async function readWindow(request: WindowRequest, sink: PieceSink, signal: AbortSignal): Promise<void> {
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
      const opened = await openFile(request, signal);
      const image = opened.file.levels[level];
      if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) {
        throw sourceBroken('source-differs', 'A file of this scene is not what the catalog says it is.');
      }
      sink.begin();
      const addBlock = async (position: BlockPosition): Promise<void> => {
        const corner = {
          x: position.column * image.blockWidth - window.x,
          y: position.row * image.blockHeight - window.y,
        };
        const wish = {
          key: { file: opened.key, level, number: opened.file.blockNumber(level, position) },
          // The last block of an image may be lower than the others.
          rows: Math.min(
            image.blockHeight,
            window.height - corner.y,
            image.height - position.row * image.blockHeight,
          ),
          signal,
          isCached: request.isOnce !== true || !isInside(corner, window, image),
          read: (need: BlockNeed) => readBlockRows(opened, { level, position }, { ...need, buffers }),
        };
        try {
          await useBlock(wish, ({ block, mask }) => {
            // Another block of this window failed meanwhile: the memory of the sink may have been reused by now.
            if (isOver) return;
            const pixels = toBandPixels(block, bandIndex);
            sink.add({ pixels, width: block.width, height: block.height, corner, mask });
          });
        } catch (error) {
          name(position);
          throw error;
        }
      };
      const positions = blocksUnder(window, image, bandIndex);
      checkCost(positions.length, image);
      const atOnce = countAtOnce(image, opened.file.source.isNear === true);
      for (let i = 0; i < positions.length; i += atOnce) {
        await Promise.all(positions.slice(i, i + atOnce).map(addBlock));
      }
    } catch (error) {
      // The file may be fixed or replaced under its name: the next reader opens it again.
      if (!isSwathError(error) || error.tag !== 'cancelled') files.delete(fileName(request));
      throw nameFault(error, `${request.record.name} ${band} ${where}`);
    } finally {
      isOver = true;
    }
  }

  async function openFile(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile> {
    const name = fileName(request);
    const start = ({ signal: shared }: { readonly signal: AbortSignal }) => openAnew(request, shared);
    const known = files.get(name);
    // Its blocks may be in the cache, so that no read would tell.
    known?.file.source.check?.();
    return known ?? (await opening.run({ key: name, signal, start })).value;
  }

  async function openAnew(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile> {
    const { href, sidecars: suffixes = [], stamp } = request;
    const openStamped: OpenSource = (name, stop) => open(name, stop, { stamp });
    const source = await openStamped(href, signal);
    try {
      const sidecars = { href, suffixes, open: openStamped };
      const file = await openBlockFile(source, { jp2Decoder, signal, sidecars });
      try {
        checkStamp(file.source.version, stamp);
      } catch (error) {
        // With its sidecar.
        await file.source.close();
        throw error;
      }
      // The version is that of the opened bytes: blocks of a replaced file never mix with those of the new one.
      const key = toFileKey([request.record.version, href, file.source.version]);
      const opened = { file, key, verified: new Set<string>() };
      files.set(fileName(request), opened);
      return opened;
    } catch (error) {
      await source.close();
      throw error;
    }
  }
}

/**
 * Refuses a file that differs from the one its plan was made for: its pixels would be sent under the ETag of the other.
 * The thread that planned then updates the catalog and plans again.
 */
export function checkStamp(version: string, stamp: string | undefined): void {
  if (stamp === undefined || version === stamp) return;
  throw sourceBroken('source-changed', 'A file of this scene was replaced.');
}

/** An opened file and its key in the cache. */
interface OpenedFile extends VerifiedFile {
  readonly key: FileKey;
}

/** The blocks that a window touches, row by row. */
function blocksUnder(
  window: PixelWindow,
  { blockWidth, blockHeight }: BlockImage,
  band: number,
): readonly BlockPosition[] {
  const positions: BlockPosition[] = [];
  const [lastX, lastY] = [window.x + window.width - 1, window.y + window.height - 1];
  for (let row = Math.floor(window.y / blockHeight); row <= Math.floor(lastY / blockHeight); row += 1) {
    for (
      let column = Math.floor(window.x / blockWidth);
      column <= Math.floor(lastX / blockWidth);
      column += 1
    ) {
      positions.push({ band, column, row });
    }
  }
  return positions;
}

/** Blocks may hold many bands, and a file may make them as large as it likes. */
const blockBytes = ({ blockWidth, blockHeight, bandCount, type }: BlockImage): number =>
  blockWidth * blockHeight * bandCount * bytesPerSample[type];

function countAtOnce(image: BlockImage, isNear: boolean): number {
  const fitting = (bytes: number): number => Math.max(1, Math.floor(bytes / blockBytes(image)));
  const max = Math.min(BLOCKS_AT_ONCE, fitting(BYTES_AT_ONCE));
  // Ranges of a local file are not merged: more than the retained memory would be allocated again and again.
  return isNear ? Math.min(max, Math.max(READING_THREADS, fitting(MAX_LENT_BYTES))) : max;
}

/** A plan knows the window but not the blocks below it: a small file can declare gigabytes of them. */
function checkCost(count: number, image: BlockImage): void {
  if (count * blockBytes(image) <= MAX_DECODED_BYTES) return;
  throw tooLarge('too-much-to-decode', 'The blocks of this file under the picture are too large to decode.');
}

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

const fits = (window: PixelWindow, image: BlockImage): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;

/** A scene that changed is another file, whatever it is called; so is one opened with other sidecars. */
const fileName = ({ record, href, sidecars = [] }: WindowRequest): string =>
  `${record.version} ${sidecars.join('')} ${href}`;

/** Adds scene, band and block to the details for the log; the message for the user stays unchanged. */
function nameFault(error: unknown, where: string): Error {
  if (isSwathError(error)) {
    return new SwathError(error.tag, error.code, error.message, {
      cause: error,
      details: { ...error.details, where },
    });
  }
  return new Error(`reading ${where}`, { cause: error });
}
