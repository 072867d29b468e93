import { sourceBroken } from '../../../errors.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumbers, toNumberWithin } from '../../metadata/values.ts';
import type { LookupTable } from '../../product-details.ts';
import type { TableLine } from './compact-table.ts';
import { isRising, toCompactTable } from './compact-table.ts';

/** The calibration of one polarisation, in as few numbers as it takes. */
export interface Sentinel1Calibration {
  readonly polarisation: string;
  readonly sigmaNought: LookupTable;
}

/** A table has some 30 lines of some 700 values. */
const MAX_VALUES = 1_000_000;
/** Relative error allowed when values are left out: a thousandth of a decibel, far below the radar's own accuracy. */
const TOLERANCE = 1e-4;

/**
 * Reads `calibration-….xml`. The table has 17,000 values that lie on smooth curves; only the points between which
 * straight lines stay within 0.001 dB of them remain, some hundred.
 */
export function parseSentinel1Calibration(text: string, what: string): Sentinel1Calibration {
  const root = parseXml(text, what);
  const polarisation = /^[HV]{2}$/.exec(textAt(root, 'adsHeader/polarisation') ?? '')?.[0];
  if (localName(root) !== 'calibration' || polarisation === undefined) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is no calibration of Sentinel-1.`);
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

/** All lines must be read at the same pixels, in order, with values one can divide by. */
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
      `The table of the file ${what} is not one of equal lines in order.`,
    );
  }
}
