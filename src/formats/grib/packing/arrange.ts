import { damaged } from '../bytes/grib-errors.ts';
import type { GribGrid } from '../headers/grid.ts';

/** How many points of a bitmap have a value. */
export function countPresent(bitmap: Uint8Array, points: number): number {
  if (8 * bitmap.length < points) throw damaged('a bitmap is shorter than its grid');
  let present = 0;
  const whole = points >> 3;
  for (let i = 0; i < whole; i++) present += ONES[bitmap[i]!]!;
  if ((points & 7) !== 0) present += ONES[bitmap[whole]! & (0xff00 >> (points & 7))]!;
  return present;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Values of the points that a bitmap says are there, with NaN at the others. */
export function spread(values: Float32Array, bitmap: Uint8Array, points: number): Float32Array {
  const all = new Float32Array(points);
  for (let i = 0, next = 0; i < points; i++)
    all[i] = (bitmap[i >> 3]! & (0x80 >> (i & 7))) === 0 ? Number.NaN : values[next++]!;
  return all;
}

/** The points row by row from the north, each row from the west, whichever way they are stored. */
export function arrange(values: Float32Array, { width, height, scan }: GribGrid): Float32Array {
  const { isEastFirst, isSouthFirst, isByColumn, isAlternating } = scan;
  if (!isEastFirst && !isSouthFirst && !isByColumn && !isAlternating) return values;
  const arranged = new Float32Array(values.length);
  const [lines, length] = isByColumn ? [width, height] : [height, width];
  const [lineStep, step] = isByColumn ? [1, width] : [width, 1];
  const isLineBackwards = isByColumn ? isEastFirst : isSouthFirst;
  const isBackwards = isByColumn ? isSouthFirst : isEastFirst;
  for (let line = 0, i = 0; line < lines; line++) {
    const start = (isLineBackwards ? lines - 1 - line : line) * lineStep;
    const isTurned = isBackwards !== (isAlternating && line % 2 === 1);
    let target = start + (isTurned ? (length - 1) * step : 0);
    const advance = isTurned ? -step : step;
    for (let k = 0; k < length; k++, i++, target += advance) arranged[target] = values[i]!;
  }
  return arranged;
}
