/*
 * Predictor 3 of TIFF (Adobe technical note 3): each row of floats is stored as planes of their bytes, most significant
 * first, and each byte as the difference from the one `stride` bytes before it, across the ends of planes. `stride` is
 * the number of interleaved bands. Floats have 2, 4 or 8 bytes and are little-endian. Everything is done in steps of 16
 * floats.
 */
import { joinEights, joinFours, joinPairs, splitEights, splitFours, splitPairs } from "./byte-planes";
import { predict, sumBytes, sumRow, toOrder } from "./predictor";

/** Sums are written this far before their differences. */
const LAG: usize = 16;

/**
 * Turns `rows` of stored bytes into floats at `to`, which lies at least a row and 144 bytes before them: a row
 * overwrites what is no longer needed of the rows before it, and up to 15 floats follow the last one.
 */
export function unpredictFloats(from: usize, to: usize, rowBytes: u32, rows: u32, sampleBytes: u32, stride: u32): void {
  const count = rowBytes / sampleBytes;
  const order = toOrder(1, false);
  for (let row: u32 = 0; row < rows; row++, from += rowBytes, to += rowBytes) {
    const planes = from - LAG;
    if (stride == 1) sumBytes(planes, rowBytes);
    else sumRow<i8>(planes, rowBytes, stride, order);
    if (sampleBytes == 2) for (let x: u32 = 0; x < count; x += 16) joinPairs(planes + x, to + (x << 1), count);
    else if (sampleBytes == 4) for (let x: u32 = 0; x < count; x += 16) joinFours(planes + x, to + (x << 2), count);
    else for (let x: u32 = 0; x < count; x += 16) joinEights(planes + x, to + (x << 3), count);
  }
}

/**
 * The inverse: writes the stored bytes of floats to another address; writes up to 15 bytes after them. `work` has room
 * for a row and as much.
 */
export function predictFloats(
  from: usize, to: usize, rowBytes: u32, rows: u32, sampleBytes: u32, stride: u32, work: usize,
): void {
  const count = rowBytes / sampleBytes;
  // the last step of a row begins early, so that no plane reaches into the next one
  const last = max(count, 16) - 16;
  for (let row: u32 = 0; row < rows; row++, from += rowBytes, to += rowBytes) {
    for (let x: u32 = 0; x < count; x += 16) {
      const at = min(x, last);
      if (sampleBytes == 2) splitPairs(from + (at << 1), work + at, count);
      else if (sampleBytes == 4) splitFours(from + (at << 2), work + at, count);
      else splitEights(from + (at << 3), work + at, count);
    }
    predict(work, to, rowBytes, 1, 1, stride, false);
  }
}
