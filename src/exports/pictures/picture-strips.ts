import { availableParallelism } from 'node:os';
import { workInOrder } from '../../async/index.ts';
import type { ThreadTools } from '../../blocks/index.ts';
import { encodeJpegStrip, toJpegStripEnd, toJpegStripsHead } from '../../formats/jpeg.ts';
import { encodePngStrip, toPngStripsEnd, toPngStripsHead } from '../../formats/png.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { JobContext, JobRunner, JobType } from '../../pool/index.ts';
import { runPatiently, withTransfer } from '../../pool/index.ts';
import type { PaintedScene, PaintParts } from '../../render/index.ts';
import { MAX_PART_BYTES } from '../../render/index.ts';
import type { ExportRun } from '../export.ts';

/** Some whole rows of a picture, and how they are encoded. */
interface StripJob {
  readonly painted: PaintedScene;
  readonly grid: Grid;
  readonly format: 'jpeg' | 'png';
  /** Whether they are the last of the picture. */
  readonly isLast: boolean;
}

/** Encoded rows of a picture. */
interface EncodedStrip {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Checksum of what a PNG compresses, and its length; zeros for a JPEG. */
  readonly sum: number;
  readonly filteredBytes: number;
}

/** The job that paints and encodes some rows of a picture. */
export type StripJobs = { 'picture-strip': JobType<StripJob, EncodedStrip> };

/** Builds the handler of that job, for one thread. */
export const makeStripJob =
  ({ kernels }: Pick<ThreadTools, 'kernels'>, paintParts: PaintParts) =>
  async ({ painted, grid, format, isLast }: StripJob, { signal }: JobContext) => {
    const { width, height } = grid;
    const allocate = kernels.begin();
    const rgbaAt = allocate(width * height * 4);
    const freeAt = allocate(0);
    await paintParts(painted, { grid, rgbaAt, freeAt, signal });
    const encode = kernels.begin(freeAt);
    const strip: EncodedStrip =
      format === 'jpeg'
        ? {
            bytes: encodeJpegStrip(kernels, encode, { rgbaAt, width, height }),
            sum: 0,
            filteredBytes: 0,
          }
        : encodePngStrip(kernels, encode, { rgbaAt, width, height, isLast });
    return withTransfer(strip, [strip.bytes.buffer]);
  };

/** Most rows of a strip: as many as parts have. */
const MAX_STRIP_ROWS = 256;
/** Pixels of a strip: with four bytes each they are a small part of a thread's memory. */
const MAX_STRIP_PX = 4 * 2 ** 20;
/** Units of a JPEG are 16 pixels high. */
const UNIT_ROWS = 16;

/** Memory of encoding, by pixel: a PNG may be as long as its pixels, and is copied once. */
const ENCODING_BYTES = { jpeg: 2, png: 8 } as const;
const RGBA_BYTES = 4;

/** Rows of the strips of a picture. */
const toStripRows = (width: number): number =>
  Math.min(MAX_STRIP_ROWS, Math.max(1, Math.floor(MAX_STRIP_PX / width / UNIT_ROWS)) * UNIT_ROWS);

/** How many strips a picture has. */
export const countStrips = ({ width, height }: Size): number => Math.ceil(height / toStripRows(width));

/** An image that is made on the pool. */
interface StripsRequest {
  readonly painted: PaintedScene;
  readonly grid: Grid;
  readonly format: 'jpeg' | 'png';
}

/**
 * The bytes of an image, in order and one strip at a time: strips are painted and encoded on several threads, and only
 * joined here.
 */
export async function* encodeStrips(
  { painted, grid, format }: StripsRequest,
  pool: JobRunner<StripJobs>,
  { ticket, onProgress }: ExportRun,
): AsyncGenerator<Uint8Array> {
  const strips = Array.from({ length: countStrips(grid) }, (_, i) => i);
  const last = strips.length - 1;
  const sums: Omit<EncodedStrip, 'bytes'>[] = [];
  yield format === 'jpeg' ? toJpegStripsHead(grid, toStripRows(grid.width)) : toPngStripsHead(grid);
  const encoded = workInOrder(
    strips,
    { atOnce: 2 * availableParallelism(), signal: ticket.signal },
    (index, signal) => {
      const strip = cutStrip(grid, index);
      const bytes = strip.width * strip.height * (RGBA_BYTES + ENCODING_BYTES[format]) + MAX_PART_BYTES;
      const job = { painted, grid: strip, format, isLast: index === last };
      return runPatiently(pool, 'picture-strip', job, { ...ticket, bytes, signal });
    },
  );
  for await (const { bytes, ...sum } of encoded) {
    const index = sums.push(sum) - 1;
    yield bytes;
    if (format === 'jpeg') yield toJpegStripEnd(index, index === last);
    onProgress(index + 1);
  }
  if (format === 'png') yield toPngStripsEnd(sums);
}

function cutStrip(grid: Grid, index: number): Grid {
  const rows = toStripRows(grid.width);
  const y = index * rows;
  return {
    ...grid,
    transform: moveOrigin(grid.transform, { x: 0, y }),
    height: Math.min(rows, grid.height - y),
  };
}
