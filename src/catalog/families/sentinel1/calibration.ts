import { sourceBroken } from '../../../errors.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumbers, toNumberWithin } from '../../metadata/values.ts';
import type { LookupTable } from '../../product-details.ts';
import type { TableLine } from './compact-table.ts';
import { isRising, toCompactTable } from './compact-table.ts';

/** The calibration of one polarisation, reduced to few numbers. */
export interface Sentinel1Calibration {
  readonly polarisation: string;
  readonly sigmaNought: LookupTable;
}

/** A table has some 30 lines of some 700 values. */
const MAX_VALUES = 1_000_000;
/** Max relative error of the reduced table: a thousandth of a decibel, far below the accuracy of the radar. */
const TOLERANCE = 1e-4;

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
  const vectors = descendantsOf(root, 'calibrationVector').map((element) => toLine(element, what));
  checkTable(vectors, what);
  return { polarisation, sigmaNought: toCompactTable(vectors, TOLERANCE) };
}

function toLine(element: XmlElement, what: string): TableLine {
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
