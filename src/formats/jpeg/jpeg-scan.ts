import { badInput, tooLarge } from '../../errors.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { makeTables } from './jpeg-tables.ts';

/** A picture in the memory of the kernels: four bytes a pixel, the last of which is ignored. */
export interface JpegPicture {
  readonly rgbaAt: number;
  readonly width: number;
  readonly height: number;
  /** 1 to 100 on libjpeg's scale, 85 unless given: no worse to look at than a PNG on a map. */
  readonly quality?: number;
  /** Colour for every four pixels (`4:2:0`, unless given), for every one (`4:4:4`), or none. */
  readonly color?: keyof typeof LAYOUTS;
}

/** `number` is that of kernels/jpeg-job.ts; a unit is the square of pixels whose blocks stand together in the file. */
export const LAYOUTS = {
  '4:2:0': { number: 0, planeCount: 3, colorEvery: 2, unitPx: 16, unitBlocks: 6 },
  '4:4:4': { number: 1, planeCount: 3, colorEvery: 1, unitPx: 8, unitBlocks: 3 },
  grey: { number: 2, planeCount: 1, colorEvery: 1, unitPx: 8, unitBlocks: 1 },
} as const;

/** What pictures have unless told otherwise. */
export const DEFAULT_QUALITY = 85;
/** A frame has 16 bits for its sides. */
const MAX_SIDE_PX = 65_535;
/** 22 bits of the first coefficient, 63 times 26 of the others; and each byte may be followed by a stuffed one. */
const MAX_BLOCK_BYTES = 2 * Math.ceil((22 + 63 * 26) / 8);
/** Bits left over from the rows before, and the marker of the end. */
const MAX_REST_BYTES = 2 * 9 + 2;
/** Rows of units are encoded together as long as this suffices for the worst: a tile of 256 pixels is one piece. */
const PIECE_BYTES = 1024 * 1024;
/** What kernels/jpeg-job.ts lays out there. */
const WORK_BYTES = 13_056;
const JOB_FIELDS = 7;

/**
 * Encodes the scan of a baseline JPEG, in pieces, with the marker of the end after it: that of libjpeg, to the bit. The
 * last piece is a view on the kernels' memory.
 */
export function encodeScan(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height, quality = DEFAULT_QUALITY, color = '4:2:0' }: JpegPicture,
): readonly Uint8Array[] {
  checkPicture(width, height, quality);
  const { number, unitPx, unitBlocks } = LAYOUTS[color];
  const tables = makeTables(quality);
  const tableBytes = Buffer.concat([...tables.steps, ...tables.firsts, ...tables.runs]);

  const rowCount = Math.ceil(height / unitPx);
  const rowBytes = Math.ceil(width / unitPx) * unitBlocks * MAX_BLOCK_BYTES;
  const pieceRows = Math.min(rowCount, Math.max(1, Math.floor(PIECE_BYTES / rowBytes)));
  const jobAt = allocate(JOB_FIELDS * 4);
  const tablesAt = allocate(tableBytes.length);
  const workAt = allocate(WORK_BYTES);
  const outAt = allocate(pieceRows * rowBytes + MAX_REST_BYTES);
  const memory = new Uint8Array(kernels.buffer());
  memory.set(tableBytes, tablesAt);
  new Uint32Array(memory.buffer, jobAt, JOB_FIELDS).set([
    ...[rgbaAt, width, height, number],
    ...[tablesAt, workAt, outAt],
  ]);

  kernels.run.jpegStart(jobAt);
  const pieces: Uint8Array[] = [];
  for (let row = 0; row < rowCount; row += pieceRows) {
    const end = Math.min(row + pieceRows, rowCount);
    const piece = memory.subarray(outAt, outAt + kernels.run.jpegRows(jobAt, row, end));
    pieces.push(end === rowCount ? piece : piece.slice());
  }
  return pieces;
}

function checkPicture(width: number, height: number, quality: number): void {
  if (!(width >= 1 && height >= 1 && width <= MAX_SIDE_PX && height <= MAX_SIDE_PX)) {
    throw tooLarge('jpeg-size', `A JPEG has 1 to ${MAX_SIDE_PX} pixels a side, not ${width} × ${height}.`);
  }
  if (!(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw badInput('jpeg-quality', `The quality of a JPEG is a whole number from 1 to 100, not ${quality}.`);
  }
}
