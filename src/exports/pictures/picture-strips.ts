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
export interface EncodedStrip {
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
    const strip = encodeStrip(kernels, { rgbaAt, freeAt, width, height, format, isLast });
    return withTransfer(strip, [strip.bytes.buffer]);
  };

interface PaintedStrip extends Size, Pick<StripJob, 'format' | 'isLast'> {
  readonly rgbaAt: number;
  readonly freeAt: number;
}

/** Encodes painted rows, on a thread. */
export function encodeStrip(
  kernels: ThreadTools['kernels'],
  { rgbaAt, freeAt, width, height, format, isLast }: PaintedStrip,
): EncodedStrip {
  const encode = kernels.begin(freeAt);
  return format === 'jpeg'
    ? { bytes: encodeJpegStrip(kernels, encode, { rgbaAt, width, height }), sum: 0, filteredBytes: 0 }
    : encodePngStrip(kernels, encode, { rgbaAt, width, height, isLast });
}

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
export const toStripRows = (width: number): number =>
  Math.min(MAX_STRIP_ROWS, Math.max(1, Math.floor(MAX_STRIP_PX / width / UNIT_ROWS)) * UNIT_ROWS);

/** How many strips a picture has. */
export const countStrips = ({ width, height }: Size): number => Math.ceil(height / toStripRows(width));

/** An image that is made of strips. */
interface StripsRequest {
  readonly grid: Grid;
  readonly format: 'jpeg' | 'png';
  /** Paints and encodes a strip on a thread. */
  encode(strip: Strip, signal: AbortSignal): Promise<EncodedStrip>;
}

/** Some whole rows of an image. */
export interface Strip {
  readonly grid: Grid;
  /** The first row. */
  readonly y: number;
  readonly isLast: boolean;
}

/** Builds the encoding of strips of a scene. */
export const makeEncodeSceneStrip =
  (
    { painted, format }: Pick<StripJob, 'painted' | 'format'>,
    pool: JobRunner<StripJobs>,
    { ticket }: Pick<ExportRun, 'ticket'>,
  ): StripsRequest['encode'] =>
  ({ grid, isLast }, signal) => {
    const bytes = estimateStrip(grid, format) + MAX_PART_BYTES;
    const job = { painted, grid, format, isLast };
    return runPatiently(pool, 'picture-strip', job, { ...ticket, bytes, signal });
  };

/** Memory of a strip and of its encoding. */
export const estimateStrip = ({ width, height }: Size, format: 'jpeg' | 'png'): number =>
  width * height * (RGBA_BYTES + ENCODING_BYTES[format]);

/**
 * The bytes of an image, in order and one strip at a time: strips are painted and encoded on several threads, and only
 * joined here.
 */
export async function* encodeStrips(
  { grid, format, encode }: StripsRequest,
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
      const y = index * toStripRows(grid.width);
      return encode({ grid: cutStrip(grid, y), y, isLast: index === last }, signal);
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

const cutStrip = (grid: Grid, y: number): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, { x: 0, y }),
  height: Math.min(toStripRows(grid.width), grid.height - y),
});
