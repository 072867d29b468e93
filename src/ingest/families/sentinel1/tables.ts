import type { LookupTable, RadarNoise } from '../../../catalog/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { sourceBroken } from '../../errors.ts';
import { required, toNumbers, toNumberWithin } from '../../metadata-values.ts';

/** The calibration of one polarisation, reduced to few numbers. */
export interface Sentinel1Calibration {
  readonly polarisation: string;
  readonly sigmaNought: LookupTable;
}

/** Values of one table or curve: a table has some 30 lines of some 700 values, a curve of IW some 1,700. */
const MAX_VALUES = 1_000_000;
/** Max relative error of the reduced table: a thousandth of a decibel, far below the accuracy of the radar. */
const CALIBRATION_TOLERANCE = 1e-4;

/**
 * Parses `calibration-….xml`. The table has 17,000 values on smooth curves; some hundred of them are enough for linear
 * interpolation within 0.001 dB.
 */
export function parseSentinel1Calibration(text: string, what: string): Sentinel1Calibration {
  const root = parseXml(text, what);
  const polarisation = /^[HV]{2}$/.exec(textAt(root, 'adsHeader/polarisation') ?? '')?.[0];
  if (localName(root) !== 'calibration' || polarisation === undefined) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is not a calibration of Sentinel-1.`);
  }
  const vectors = descendantsOf(root, 'calibrationVector').map((element) => toCalibrationLine(element, what));
  checkTable(vectors, what);
  return { polarisation, sigmaNought: toCompactTable(vectors, CALIBRATION_TOLERANCE) };
}

function toCalibrationLine(element: XmlElement, what: string): TableLine {
  return {
    line: required(toNumberWithin(textAt(element, 'line'), [-1e6, 1e6]), 'line', what),
    pixels: required(toNumbers(textAt(element, 'pixel') ?? ''), 'pixel', what),
    values: required(toNumbers(textAt(element, 'sigmaNought') ?? ''), 'sigmaNought', what),
  };
}

/** All lines must have the same ascending pixels, and values other than 0. */
function checkTable(vectors: readonly TableLine[], what: string): void {
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
      `The table of the file ${what} does not have equal lines in ascending order.`,
    );
  }
}

/** The thermal noise of one polarisation, reduced to few numbers. */
export interface Sentinel1Noise extends RadarNoise {
  readonly polarisation: string;
}

/** The five swaths of EW have hundreds of blocks. */
const MAX_BLOCKS = 1_000;
/** Max relative error of the reduced table: 0.02 dB, while the noise itself is known to some tenths. */
const NOISE_TOLERANCE = 5e-3;
/** Lines and pixels may lie outside the image. */
const COORDINATES = [-1e6, 1e6] as const;

/** Parses `noise-….xml`; processors before 2.9 (March 2018) wrote one list and no factors along the track. */
export function parseSentinel1Noise(text: string, what: string): Sentinel1Noise {
  const root = parseXml(text, what);
  const polarisation = /^[HV]{2}$/.exec(textAt(root, 'adsHeader/polarisation') ?? '')?.[0];
  if (localName(root) !== 'noise' || polarisation === undefined) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is not a noise file of Sentinel-1.`);
  }
  const lines = [
    ...descendantsOf(root, 'noiseRangeVector').map((element) => toNoiseLine(element, 'noiseRangeLut', what)),
    ...descendantsOf(root, 'noiseVector').map((element) => toNoiseLine(element, 'noiseLut', what)),
  ];
  const blocks = descendantsOf(root, 'noiseAzimuthVector');
  if (blocks.length > MAX_BLOCKS) throw badTable(what);
  return {
    polarisation,
    range: toCompactTable(toEqualLines(lines, what), NOISE_TOLERANCE),
    azimuth: blocks.map((element) => toBlock(element, what)),
  };
}

const badTable = (what: string) =>
  sourceBroken(
    'metadata-bad-table',
    `The tables of the file ${what} are not in ascending order, or too large.`,
  );

const isPower = (value: number): boolean => value >= 0;

function toNoiseLine(element: XmlElement, name: string, what: string): TableLine {
  const line = required(toNumberWithin(textAt(element, 'line'), COORDINATES), 'line', what);
  const pixels = required(toNumbers(textAt(element, 'pixel') ?? ''), 'pixel', what);
  const values = required(toNumbers(textAt(element, name) ?? ''), name, what);
  if (values.length !== pixels.length || !isRising(pixels) || !values.every(isPower)) throw badTable(what);
  return { line, pixels, values };
}

/**
 * Lines of wide swaths have different pixels each. Interpolated at the pixels of all lines, the table is the same.
 */
function toEqualLines(lines: readonly TableLine[], what: string): TableLine[] {
  const pixels = [...new Set(lines.flatMap((line) => line.pixels))].sort((a, b) => a - b);
  const isSound =
    pixels.length >= 2 &&
    pixels.length * lines.length <= MAX_VALUES &&
    isRising(lines.map(({ line }) => line));
  if (!isSound) throw badTable(what);
  return lines.map(({ line, pixels: own, values }) => {
    let next = 0;
    const read = (pixel: number): number => {
      while (next < own.length && own[next]! < pixel) next++;
      const [from, to] = [own[next - 1], own[next]];
      if (to === undefined) return values[next - 1]!;
      if (from === undefined || to === pixel) return values[next]!;
      const before = values[next - 1]!;
      return before + ((pixel - from) / (to - from)) * (values[next]! - before);
    };
    return { line, pixels, values: pixels.map(read) };
  });
}

function toBlock(element: XmlElement, what: string): RadarNoise['azimuth'][number] {
  const coordinate = (name: string) =>
    required(toNumberWithin(textAt(element, name), COORDINATES), name, what);
  const lines = required(toNumbers(textAt(element, 'line') ?? ''), 'line', what);
  const values = required(toNumbers(textAt(element, 'noiseAzimuthLut') ?? ''), 'noiseAzimuthLut', what);
  const isSound =
    lines.length === values.length && lines.length <= MAX_VALUES && isRising(lines) && values.every(isPower);
  if (!isSound) throw badTable(what);
  return {
    firstLine: coordinate('firstAzimuthLine'),
    lastLine: coordinate('lastAzimuthLine'),
    firstPixel: coordinate('firstRangeSample'),
    lastPixel: coordinate('lastRangeSample'),
    ...toCompactCurve({ lines, values }, NOISE_TOLERANCE),
  };
}

/** One line of a table in a file of Sentinel-1. */
interface TableLine {
  readonly line: number;
  readonly pixels: readonly number[];
  readonly values: readonly number[];
}

/** A curve over the lines of an image. */
interface Curve {
  readonly lines: readonly number[];
  readonly values: readonly number[];
}

/** Whether each number is larger than the one before. */
const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

/** Seven digits, as in the files. */
const toStored = (value: number): number => Number(value.toPrecision(7));

/**
 * Drops values that linear interpolation between the rest gives within a relative tolerance. All lines must have the
 * same pixels.
 */
function toCompactTable(table: readonly TableLine[], tolerance: number): LookupTable {
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
function toCompactCurve({ lines, values }: Curve, tolerance: number): Curve {
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
