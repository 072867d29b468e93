import { sourceBroken } from '../../../errors.ts';
import type { LookupTable } from '../../product-details.ts';
import { required, toNumbers, toNumberWithin } from './values.ts';
import type { XmlElement } from './xml.ts';
import { descendantsOf, localName, parseXml, textAt } from './xml.ts';

/** The calibration of one polarisation, in as few numbers as it takes. */
export interface Sentinel1Calibration {
  readonly polarisation: string;
  readonly sigmaNought: LookupTable;
}

/** One line of the table as the file has it. */
interface Vector {
  readonly line: number;
  readonly pixels: readonly number[];
  readonly values: readonly number[];
}

/** A table has some 30 lines of some 700 values. */
const MAX_VALUES = 1_000_000;
/** Relative error allowed when values are left out: a thousandth of a decibel, far below the radar's own accuracy. */
const TOLERANCE = 1e-4;

/**
 * Reads `calibration-….xml`. The table has 17,000 values that lie on smooth curves; only the places between which
 * straight lines stay within 0.001 dB of them are kept, some hundred.
 */
export function parseSentinel1Calibration(text: string, what: string): Sentinel1Calibration {
  const root = parseXml(text, what);
  const polarisation = /^[HV]{2}$/.exec(textAt(root, 'adsHeader/polarisation') ?? '')?.[0];
  if (localName(root) !== 'calibration' || polarisation === undefined) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is no calibration of Sentinel-1.`);
  }
  const vectors = descendantsOf(root, 'calibrationVector').map((element) => toVector(element, what));
  checkTable(vectors, what);
  return { polarisation, sigmaNought: toCompactTable(vectors) };
}

function toVector(element: XmlElement, what: string): Vector {
  return {
    line: required(toNumberWithin(textAt(element, 'line'), [-1e6, 1e6]), 'line', what),
    pixels: required(toNumbers(textAt(element, 'pixel') ?? ''), 'pixel', what),
    values: required(toNumbers(textAt(element, 'sigmaNought') ?? ''), 'sigmaNought', what),
  };
}

/** All lines must be read at the same pixels, in order, with values one can divide by. */
function checkTable(vectors: readonly Vector[], what: string): void {
  const pixels = vectors[0]?.pixels ?? [];
  const isSound =
    pixels.length >= 2 &&
    pixels.length * vectors.length <= MAX_VALUES &&
    isRising(pixels) &&
    isRising(vectors.map(({ line }) => line)) &&
    vectors.every(
      ({ pixels: own, values }) =>
        own.length === pixels.length &&
        values.length === pixels.length &&
        own.every((pixel, i) => pixel === pixels[i]) &&
        values.every((value) => value > 0),
    );
  if (!isSound) {
    throw sourceBroken(
      'metadata-bad-table',
      `The table of the file ${what} is not one of equal lines in order.`,
    );
  }
}

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

function toCompactTable(vectors: readonly Vector[]): LookupTable {
  const pixels = vectors[0]!.pixels;
  const keptPixels = planKnots(
    pixels,
    vectors.map(({ values }) => values),
  );
  const lines = vectors.map(({ line }) => line);
  // A curve over the lines for each pixel that is left.
  const columns = keptPixels.map((at) => vectors.map(({ values }) => values[at]!));
  const keptLines = planKnots(lines, columns);
  return {
    lines: keptLines.map((at) => lines[at]!),
    pixels: keptPixels.map((at) => pixels[at]!),
    // Seven digits, as the file has them.
    values: keptLines.flatMap((row) => columns.map((column) => Number(column[row]!.toPrecision(7)))),
  };
}

/**
 * Places of `positions` that are enough for all curves at once: from each kept place on, the next one is as far as a
 * straight line stays within the tolerance. Instead of looking at all values under a line again whenever it gets longer,
 * the slopes that all of them allow are kept, from the lowest to the highest.
 */
function planKnots(positions: readonly number[], curves: readonly (readonly number[])[]): number[] {
  const last = positions.length - 1;
  const kept = [0];
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
      kept.push(from);
      lowest.fill(-Infinity);
      highest.fill(Infinity);
    }
    for (const [i, curve] of curves.entries()) {
      const value = curve[to]!;
      lowest[i] = Math.max(lowest[i]!, slopeTo(curve, value * (1 - TOLERANCE)));
      highest[i] = Math.min(highest[i]!, slopeTo(curve, value * (1 + TOLERANCE)));
    }
  }
  if (last > 0) kept.push(last);
  return kept;
}
