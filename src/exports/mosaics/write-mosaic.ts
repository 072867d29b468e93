import { availableParallelism } from 'node:os';
import type { ThreadTools } from '../../blocks/index.ts';
import type { CogPart, PartedCog } from '../../formats/cog/index.ts';
import { estimatePartBytes } from '../../formats/cog/index.ts';
import type { FileMetadata } from '../../formats/tiff/index.ts';
import type { Size } from '../../geo/index.ts';
import type { JobHandlers, JobRunner, JobType } from '../../pool/index.ts';
import { runPatiently, withTransfer } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { internal } from '../errors.ts';
import type { ExportRun } from '../export.ts';
import type { EncodedStrip } from '../pictures/picture-strips.ts';
import { encodeStrip, encodeStrips, estimateStrip, toStripRows } from '../pictures/picture-strips.ts';
import type { TopJobs } from '../write-cog.ts';
import { makeEncodeTop, writeCog } from '../write-cog.ts';
import type { MosaicPartJobs, PartPixels } from './encode-mosaic-part.ts';
import type { MosaicPixels } from './fill-pixels.ts';
import { fillPixels, makePixels, pixelBytes } from './fill-pixels.ts';

/** Painted rows of a mosaic, in memory that threads share. */
interface MosaicStripJob extends Size {
  readonly rgba: Uint8Array<SharedArrayBuffer>;
  readonly format: 'jpeg' | 'png';
  readonly isLast: boolean;
}

/** The job that encodes painted rows. */
export type MosaicStripJobs = { 'export-mosaic-strip': JobType<MosaicStripJob, EncodedStrip> };

/** Builds its handler, for one thread. */
export const makeMosaicStripJobs = ({
  kernels,
}: Pick<ThreadTools, 'kernels'>): JobHandlers<MosaicStripJobs> => ({
  'export-mosaic-strip'({ rgba, ...strip }) {
    const allocate = kernels.begin();
    const rgbaAt = allocate(rgba.length);
    const freeAt = allocate(0);
    new Uint8Array(kernels.buffer(), rgbaAt, rgba.length).set(rgba);
    const encoded = encodeStrip(kernels, { ...strip, rgbaAt, freeAt });
    return withTransfer(encoded, [encoded.bytes.buffer]);
  },
});

/** The threads that files of mosaics are encoded on. */
export type MosaicPool = JobRunner<MosaicPartJobs & MosaicStripJobs & TopJobs>;

/** Memory of the pixels of all parts that are in the making at the same time. */
const PARTS_BYTES = 256 * 2 ** 20;

/** Blocks that are read at the same time: one more than cores, so that none waits while a result is copied. */
const inFlight = availableParallelism() + 1;

interface CogRequest {
  readonly path: string;
  readonly cog: PartedCog;
  readonly pixels: MosaicPixels;
  /** Called when all pixels are there. */
  toMetadata(): FileMetadata;
}

/**
 * Writes a COG of a mosaic. Each part is put together of blocks on the pool, and then encoded there; no more than a few
 * parts are in memory at once.
 */
export async function writeMosaicCog(
  { path, cog, pixels, toMetadata }: CogRequest,
  pool: MosaicPool,
  { ticket, onProgress }: ExportRun,
): Promise<void> {
  const largest = Math.max(...cog.parts.map(toWindow).map(({ width, height }) => width * height));
  const fitting = Math.floor(PARTS_BYTES / (largest * pixelBytes(pixels.kind)));
  const atOnce = Math.max(1, Math.min(inFlight, fitting));
  const spare: PartPixels[] = [];
  let blocksDone = 0;
  // Reading takes longer than encoding: progress counts blocks that are read.
  const onBlock = (): void => onProgress(++blocksDone);
  await writeCog({
    path,
    cog,
    signal: ticket.signal,
    onProgress() {},
    atOnce,
    encodeTop: makeEncodeTop(pool, cog, ticket),
    toMetadata,
    async encodePart(part, top, signal, room) {
      const window = toWindow(part);
      const filling = {
        window,
        ticket: { ...ticket, signal },
        atOnce: Math.ceil(inFlight / atOnce),
        onBlock,
      };
      const own = spare.pop() ?? makePixels(pixels.kind, largest);
      const filled = await fillPixels(pixels, filling, own);
      const job = { cog: { plan: cog.plan }, part, window, pixels: filled, top, room };
      const bytes = estimatePartBytes(cog, part);
      const blocks = await runPatiently(pool, 'export-mosaic-part', job, { ...ticket, bytes, signal });
      // Only after success: of a part that failed, a thread may still be reading.
      spare.push(own);
      return blocks;
    },
  });
}

/** The pixels that a part needs of the full resolution. */
function toWindow({ levels }: CogPart): PixelWindow {
  const { columns, rows } = levels[0]!.made;
  return {
    x: columns.start,
    y: rows.start,
    width: columns.end - columns.start,
    height: rows.end - rows.start,
  };
}

/** The bytes of an image of a mosaic, in order. */
export function encodeMosaic(
  format: 'jpeg' | 'png',
  pixels: MosaicPixels,
  pool: MosaicPool,
  run: ExportRun,
): AsyncIterable<Uint8Array> {
  const { ticket } = run;
  const spare: PartPixels[] = [];
  const rows = toStripRows(pixels.grid.width);
  return encodeStrips(
    {
      grid: pixels.grid,
      format,
      async encode({ grid: { width, height }, y, isLast }, signal) {
        const own = { ...ticket, signal };
        const window = { x: 0, y, width, height };
        const room = spare.pop() ?? makePixels(pixels.kind, pixels.grid.width * rows);
        const filled = await fillPixels(pixels, { window, ticket: own, atOnce: 1, onBlock() {} }, room);
        if (filled.kind !== 'painted') throw internal('not-painted', 'A picture was filled with values.');
        const job = { rgba: filled.rgba, width, height, format, isLast };
        const bytes = estimateStrip({ width, height }, format);
        const encoded = await runPatiently(pool, 'export-mosaic-strip', job, { ...own, bytes });
        spare.push(room);
        return encoded;
      },
    },
    run,
  );
}
