import { availableParallelism } from 'node:os';
import { workInOrder } from '../../async/index.ts';
import { toJpegStripEnd, toJpegStripsHead } from '../../formats/jpeg.ts';
import { toPngStripsEnd, toPngStripsHead } from '../../formats/png.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { PaintedScene } from '../../render/index.ts';
import { MAX_PART_BYTES } from '../../render/index.ts';
import type { ExportRun } from '../export.ts';
import type { EncodedStrip, StripJobs } from './strip-job.ts';

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
