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

/** Reads windows of bands: every pixel of the window goes into the sink, in pieces. After a failure nothing more does. */
export type ReadWindow = (request: WindowRequest, sink: PieceSink, signal: AbortSignal) => Promise<void>;

interface ReadWindowDeps {
  readonly open: OpenSource;
  /** Decoded blocks, shared with other threads. */
  readonly blocks: BlockCache;
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
}

/** Files kept open in one thread; each holds a descriptor and its block index. */
const MAX_OPEN_FILES = 64;

/** Blocks asked for at once: enough for ranges to be merged, few enough that a large window stays small in memory. */
const BLOCKS_AT_ONCE = 16;
const BYTES_AT_ONCE = 64 * 2 ** 20;
/** Decoded for one window: about a second's work. */
const MAX_DECODED_BYTES = 256 * 2 ** 20;

/** Memory for blocks on their way into the cache that is kept between them. */
const MAX_LENT_BYTES = 8 * 2 ** 20;

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
    const name = (place: BlockPosition): void => {
      if (!isOver) where = `level ${level}, block ${place.column}/${place.row}`;
      isOver = true;
    };
    try {
      const opened = await openFile(request, signal);
      const image = opened.file.levels[level];
      if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) {
        throw sourceBroken('source-differs', 'A file of this scene is not what the catalog says it is.');
      }
      sink.begin();
      const addBlock = async (place: BlockPosition): Promise<void> => {
        const corner = {
          x: place.column * image.blockWidth - window.x,
          y: place.row * image.blockHeight - window.y,
        };
        const wish = {
          key: { file: opened.key, level, number: opened.file.blockNumber(level, place) },
          // The last block of an image may be lower than the others.
          rows: Math.min(
            image.blockHeight,
            window.height - corner.y,
            image.height - place.row * image.blockHeight,
          ),
          signal,
          read: (need: BlockNeed) => readBlockRows(opened, { level, place }, { ...need, buffers }),
        };
        try {
          await useBlock(wish, ({ block, mask }) => {
            // Another block of this window failed meanwhile: its memory may be someone else's by now.
            if (isOver) return;
            const pixels = toBandPixels(block, bandIndex);
            sink.add({ pixels, width: block.width, height: block.height, corner, mask });
          });
        } catch (error) {
          name(place);
          throw error;
        }
      };
      const places = placesOf(window, image, bandIndex);
      checkCost(places.length, image);
      const atOnce = countAtOnce(image);
      for (let i = 0; i < places.length; i += atOnce) {
        await Promise.all(places.slice(i, i + atOnce).map(addBlock));
      }
    } catch (error) {
      // The file may be mended or replaced under its name: the next reader opens it anew.
      if (!isSwathError(error) || error.tag !== 'cancelled') files.delete(fileName(request));
      throw nameFault(error, `${request.record.name} ${band} ${where}`);
    } finally {
      isOver = true;
    }
  }

  async function openFile(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile> {
    const name = fileName(request);
    const start = ({ signal: shared }: { readonly signal: AbortSignal }) => openAnew(request, shared);
    return files.get(name) ?? (await opening.run({ key: name, signal, start })).value;
  }

  async function openAnew(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile> {
    const source = await open(request.href, signal);
    try {
      const { href, beside: suffixes = [] } = request;
      const file = await openBlockFile(source, { jp2Decoder, signal, sidecars: { href, suffixes, open } });
      try {
        checkStamp(file.source.version, request.stamp);
      } catch (error) {
        // With the file beside it.
        await file.source.close();
        throw error;
      }
      // The version is of the opened bytes: blocks of a replaced file never mix with those of the new one.
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
 * Refuses a file that is not the one its plan was made for: its pixels would go out under the ETag of the other. The
 * thread that planned has the catalog brought up to date, and plans again.
 */
export function checkStamp(version: string, stamp: string | undefined): void {
  if (stamp === undefined || version === stamp) return;
  throw sourceBroken('source-changed', 'A file of this scene was replaced.');
}

/** An opened file and what its blocks are called in the cache. */
interface OpenedFile extends VerifiedFile {
  readonly key: FileKey;
}

/** The blocks that a window touches, row by row. */
function placesOf(
  window: PixelWindow,
  { blockWidth, blockHeight }: BlockImage,
  band: number,
): readonly BlockPosition[] {
  const places: BlockPosition[] = [];
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

/** Blocks may hold many bands, and be as large as a file likes. */
const blockBytes = ({ blockWidth, blockHeight, bandCount, type }: BlockImage): number =>
  blockWidth * blockHeight * bandCount * bytesPerSample[type];

const countAtOnce = (image: BlockImage): number =>
  Math.max(1, Math.min(BLOCKS_AT_ONCE, Math.floor(BYTES_AT_ONCE / blockBytes(image))));

/** A plan knows the window and not the blocks below it: a small file can promise gigabytes of them. */
function checkCost(count: number, image: BlockImage): void {
  if (count * blockBytes(image) <= MAX_DECODED_BYTES) return;
  throw tooLarge(
    'too-much-to-decode',
    'The blocks of this file under the picture are too large to be decoded.',
  );
}

const fits = (window: PixelWindow, image: BlockImage): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;

/** A scene that changed is another file, whatever it is called; so is one opened with others beside it. */
const fileName = ({ record, href, beside = [] }: WindowRequest): string =>
  `${record.version} ${beside.join('')} ${href}`;

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
