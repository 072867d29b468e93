import { workInOrder } from '../../async/index.ts';
import { makeBufferPool } from '../../files/index.ts';
import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { CogOptions, CogPart, CopiedMain, EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import {
  encodeCogPart,
  estimatePartBytes,
  listBlocks,
  planCogParts,
  transferOf,
} from '../../formats/cog/index.ts';
import type { EncodedTile, Jp2Encoder, Jp2Options, WrittenImage } from '../../formats/jp2/index.ts';
import { encodeJp2Tile, planDecompositions, writeJp2 } from '../../formats/jp2/index.ts';
import type { JobContext, JobRunner, JobType } from '../../pool/index.ts';
import { runPatiently, withTransfer } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { bytesPerSample, makePixels, viewPixels } from '../../raster/index.ts';
import type { TopJobs, TopPixels } from '../write-cog.ts';
import { makeCheckWanted, makeEncodeTop, writeCog } from '../write-cog.ts';
import type { CopyBytes, CopyJob } from './copied-image.ts';
import type { PlannedImage } from './planned-image.ts';
import type { ReadPixels, StoredPixels } from './read-pixels.ts';

/** A part of a COG that is made of stored numbers. */
interface EncodePartJob {
  readonly plan: PartedCog['plan'];
  readonly part: CogPart;
  /** In shared memory. */
  readonly top: TopPixels;
  readonly pixels: StoredPixels;
  /** Shared memory for the encoded blocks. */
  readonly room: SharedArrayBuffer;
  /** Blocks of the full resolution that are copied; null when all are encoded. */
  readonly stored: StoredPart | null;
}

/** Stored blocks of a part, by their numbers. */
interface StoredPart extends Omit<CopyJob, 'frameBytes'> {
  readonly numbers: Uint32Array;
}

/** The job that encodes such a part. */
export type EncodePartJobs = { 'export-bands': JobType<EncodePartJob, EncodedBlocks> };

/** Memory for the pixels of parts, retained between them: those of one, as a thread encodes one at a time. */
const RETAINED_BYTES = 32 * 2 ** 20;

/** Builds the handler of that job. */
export function makeEncodePart(readPixels: ReadPixels, copyBytes: CopyBytes) {
  const buffers = makeBufferPool(RETAINED_BYTES);
  return async ({ plan, part, top, room, pixels, stored }: EncodePartJob, context: JobContext) => {
    const whole = toPartWindow(part);
    const count = whole.width * whole.height;
    const leased = Array.from({ length: part.bandCount }, () =>
      buffers.lease(count * bytesPerSample[plan.type]),
    );
    const bands = leased.map((buffer) => viewPixels(plan.type, buffer, count));
    // All of a part at once: a block that two strips share is decoded once, and most need not be cached.
    for (const [i, out] of bands.entries()) {
      await readPixels(pixels, part.firstBand + i, { window: whole, out, signal: context.signal });
    }
    const source = {
      readWindow: ({ y, width, height }: PixelWindow) =>
        bands.map((band) => band.subarray((y - whole.y) * width, (y - whole.y + height) * width)),
      checkWanted: makeCheckWanted(context),
      ...(stored === null
        ? {}
        : { readStored: (numbers: readonly number[]) => readStored(stored, numbers, copyBytes, context) }),
    };
    const blocks = await encodeCogPart({ plan }, part, source, top, room);
    // only after success: after a failure a read may still be writing into them
    for (const buffer of leased) buffers.release(buffer);
    return withTransfer(blocks, transferOf(blocks));
  };
}

/** The pixels that a part needs of the full resolution. */
function toPartWindow({ levels }: CogPart): PixelWindow {
  const { columns, rows } = levels[0]!.made;
  return {
    x: columns.start,
    y: rows.start,
    width: columns.end - columns.start,
    height: rows.end - rows.start,
  };
}

/** Reads the stored bytes of some blocks. */
async function readStored(
  { numbers, sources, source, offset, size }: StoredPart,
  wanted: readonly number[],
  copyBytes: CopyBytes,
  context: JobContext,
): Promise<readonly Uint8Array[]> {
  const at = wanted.map((number) => numbers.indexOf(number));
  const job = {
    sources,
    source: Uint16Array.from(at, (i) => source[i]!),
    offset: Float64Array.from(at, (i) => offset[i]!),
    size: Uint32Array.from(at, (i) => size[i]!),
    frameBytes: 0 as const,
  };
  const bytes = await copyBytes(job, context);
  let end = 0;
  return at.map((i) => {
    end += size[i]!;
    return bytes.subarray(end - size[i]!, end);
  });
}

/** Blocks of the full resolution that are copied, and the files of their bands. */
interface StoredMain {
  readonly blocks: CopiedMain['blocks'];
  readonly files: readonly StoredBytes[];
}

/** The blocks of one part: a job is sent no more than it needs. */
function takePart({ blocks, files }: StoredMain, cog: PartedCog, part: CogPart): StoredPart {
  const { rows } = part.levels[0]!.own;
  const numbers: number[] = [];
  for (let start = rows.start; start < rows.end; start += cog.plan.blockSize) {
    numbers.push(...listBlocks(cog, part, { start, end: rows.end }));
  }
  const bands = [...new Set(numbers.map((number) => blocks.band[number]!))];
  return {
    numbers: Uint32Array.from(numbers),
    sources: bands.map((band) => files[band]!),
    source: Uint16Array.from(numbers, (number) => bands.indexOf(blocks.band[number]!)),
    offset: Float64Array.from(numbers, (number) => blocks.offset[number]!),
    size: Uint32Array.from(numbers, (number) => blocks.size[number]!),
  };
}

/** What is decoded while the pixels of a part are read: at most as much as a reader has under way. */
const READ_BYTES = 32 * 2 ** 20;

/** How an image is made. */
interface EncodedOptions {
  readonly pool: JobRunner<EncodePartJobs & TopJobs>;
  readonly estimatedBytes: number;
  /** Blocks of the full resolution that are copied; null when all are encoded. */
  readonly stored: StoredMain | null;
}

/** A COG of stored numbers that are decoded and encoded; blocks of the full resolution may be copied. */
export function toEncodedImage(
  options: CogOptions,
  pixels: StoredPixels,
  { pool, estimatedBytes, stored }: EncodedOptions,
): PlannedImage {
  const cog = planCogParts(options, {
    bandsApart: options.bandCount > 1 && options.interleave === 'band',
  });
  return {
    extension: 'TIF',
    estimatedBytes,
    blocks: cog.blockCount,
    content: {
      kind: 'written',
      async write(path, { ticket, onProgress }) {
        await writeCog({
          path,
          cog,
          encodePart(part, top, signal, room) {
            const copied = stored === null ? null : takePart(stored, cog, part);
            const job = { plan: cog.plan, part, top, room, pixels, stored: copied };
            const { width, height } = toPartWindow(part);
            const own = width * height * part.bandCount * bytesPerSample[cog.plan.type];
            const bytes = estimatePartBytes(cog, part) + own + READ_BYTES;
            return runPatiently(pool, 'export-bands', job, { ...ticket, signal, bytes });
          },
          encodeTop: makeEncodeTop(pool, cog, ticket),
          signal: ticket.signal,
          onProgress,
        });
      },
    },
  };
}

/** A tile of a JP2 file of one band. */
interface Jp2TileJob {
  readonly image: WrittenImage;
  readonly tile: PixelWindow;
  readonly pixels: StoredPixels;
}

/** The job that encodes such a tile. */
export type Jp2TileJobs = { 'export-jp2': JobType<Jp2TileJob, EncodedTile> };

/** Builds the handler of that job. */
export const makeEncodeTile =
  (readPixels: ReadPixels, encoder: Jp2Encoder) =>
  async (
    { image, tile, pixels }: Jp2TileJob,
    { signal }: Pick<JobContext, 'signal'>,
  ): Promise<EncodedTile> => {
    const out = makePixels(pixels.type, tile.width * tile.height);
    await readPixels(pixels, 0, { window: tile, out, signal });
    return encodeJp2Tile(new Uint8Array(out.buffer), tile, image, encoder);
  };

/** Sides of tiles in the order of preference: the first is that of the provider of Sentinel-2. */
const TILE_SIDES = [1024, 512, 2048, 256];

/** All tiles of an image are halved equally often: the side that leaves no narrow tile at the edge is best. */
function chooseTileSize(image: Omit<WrittenImage, 'tileSize'>): number {
  const depths = TILE_SIDES.map((tileSize) => planDecompositions({ ...image, tileSize }));
  return TILE_SIDES[depths.indexOf(Math.max(...depths))]!;
}

function* listTiles({ width, height, tileSize }: WrittenImage): Generator<PixelWindow> {
  for (let y = 0; y < height; y += tileSize) {
    for (let x = 0; x < width; x += tileSize) {
      yield { x, y, width: Math.min(tileSize, width - x), height: Math.min(tileSize, height - y) };
    }
  }
}

/** Jobs under way: as many as threads take, and one whose tile is written. */
const AT_ONCE = 4;
/** Encoder memory for each pixel: samples, two planes of 32 bits, and encoded bytes while they are put together. */
const ENCODER_BYTES_PER_PX = 24;

/** A lossless JP2 file of one band; `bitsPerSample` is 8 or 16, by the type of its pixels. */
export function toJp2Image(
  options: Omit<Jp2Options, 'tileSize' | 'bandCount' | 'bitsPerSample'>,
  pixels: StoredPixels,
  { pool, estimatedBytes }: { readonly pool: JobRunner<Jp2TileJobs>; readonly estimatedBytes: number },
): PlannedImage {
  const samples = { bandCount: 1, bitsPerSample: pixels.type === 'uint8' ? 8 : 16 };
  const tileSize = chooseTileSize({ ...options, ...samples });
  const image: Jp2Options = { ...options, ...samples, tileSize };
  const { width, height } = options;
  return {
    extension: 'jp2',
    estimatedBytes,
    blocks: Math.ceil(width / tileSize) * Math.ceil(height / tileSize),
    content: {
      kind: 'written',
      async write(path, { ticket, onProgress }) {
        const encode = (tile: PixelWindow, signal: AbortSignal): Promise<EncodedTile> => {
          const bytes = tile.width * tile.height * ENCODER_BYTES_PER_PX;
          return runPatiently(pool, 'export-jp2', { image, tile, pixels }, { ...ticket, signal, bytes });
        };
        async function* encodeAll(): AsyncGenerator<EncodedTile> {
          let done = 0;
          const order = { atOnce: AT_ONCE, signal: ticket.signal };
          for await (const tile of workInOrder(listTiles(image), order, encode)) {
            yield tile;
            onProgress(++done);
          }
        }
        await writeJp2(path, image, encodeAll(), { signal: ticket.signal });
      },
    },
  };
}
