import type { LookupTable } from '../../product-details.ts';

/** One line of a table in a file of Sentinel-1. */
export interface TableLine {
  readonly line: number;
  readonly pixels: readonly number[];
  readonly values: readonly number[];
}

/** A curve over the lines of an image. */
export interface Curve {
  readonly lines: readonly number[];
  readonly values: readonly number[];
}

/** Whether each number is larger than the one before. */
export const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

/** Seven digits, as in the files. */
const toStored = (value: number): number => Number(value.toPrecision(7));

/**
 * Drops values that linear interpolation between the rest gives within a relative tolerance. All lines must have the
 * same pixels.
 */
export function toCompactTable(table: readonly TableLine[], tolerance: number): LookupTable {
  const pixels = table[0]!.pixels;
  const keptPixels = planKnots(
    pixels,
    table.map(({ values }) => values),
    tolerance,
  );
  const lines = table.map(({ line }) => line);
  // A curve over the lines for each remaining pixel.
  const columns = keptPixels.map((at) => table.map(({ values }) => values[at]!));
  const keptLines = planKnots(lines, columns, tolerance);
  return {
    lines: keptLines.map((at) => lines[at]!),
    pixels: keptPixels.map((at) => pixels[at]!),
    values: keptLines.flatMap((row) => columns.map((column) => toStored(column[row]!))),
  };
}

/** The same for one curve. */
export function toCompactCurve({ lines, values }: Curve, tolerance: number): Curve {
  const knots = planKnots(lines, [values], tolerance);
  return { lines: knots.map((at) => lines[at]!), values: knots.map((at) => toStored(values[at]!)) };
}

/**
 * Indices of `positions` that are enough for all curves at once: from each knot, the next one is as far as a straight
 * line stays within the tolerance. The range of slopes that all values so far allow is carried along, so that no value
 * is visited twice when the line gets longer.
 */
function planKnots(
  positions: readonly number[],
  curves: readonly (readonly number[])[],
  tolerance: number,
): number[] {
  const last = positions.length - 1;
  const knots = [0];
  const lowest = new Float64Array(curves.length).fill(-Infinity);
  const highest = new Float64Array(curves.length).fill(Infinity);
  for (let from = 0, to = 1; to <= last; to++) {
    const slopeTo = (curve: readonly number[], value: number) =>
      (value - curve[from]!) / (positions[to]! - positions[from]!);
    const isStraight = curves.every((curve, i) => {
      const slope = slopeTo(curve, curve[to]!);
      return slope >= lowest[i]! && slope <= highest[i]!;
    });
    if (!isStraight) {
      from = to - 1;
      knots.push(from);
      lowest.fill(-Infinity);
      highest.fill(Infinity);
    }
    for (const [i, curve] of curves.entries()) {
      const value = curve[to]!;
      lowest[i] = Math.max(lowest[i]!, slopeTo(curve, value * (1 - tolerance)));
      highest[i] = Math.min(highest[i]!, slopeTo(curve, value * (1 + tolerance)));
    }
  }
  if (last > 0) knots.push(last);
  return knots;
}
