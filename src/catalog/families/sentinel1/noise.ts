import { sourceBroken } from '../../../errors.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumbers, toNumberWithin } from '../../metadata/values.ts';
import type { NoiseBlock, RadarNoise } from '../../product-details.ts';
import type { TableLine } from './compact-table.ts';
import { isRising, toCompactCurve, toCompactTable } from './compact-table.ts';

/** The thermal noise of one polarisation, reduced to few numbers. */
export interface Sentinel1Noise extends RadarNoise {
  readonly polarisation: string;
}

/** A table has some 30 lines of some 700 values, a curve of IW some 1,700; five swaths have hundreds of blocks in EW. */
const MAX_VALUES = 1_000_000;
const MAX_BLOCKS = 1_000;
/** Max relative error of the reduced table: 0.02 dB, while the noise itself is known to some tenths. */
const TOLERANCE = 5e-3;
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
    ...descendantsOf(root, 'noiseRangeVector').map((element) => toLine(element, 'noiseRangeLut', what)),
    ...descendantsOf(root, 'noiseVector').map((element) => toLine(element, 'noiseLut', what)),
  ];
  const blocks = descendantsOf(root, 'noiseAzimuthVector');
  if (blocks.length > MAX_BLOCKS) throw badTable(what);
  return {
    polarisation,
    range: toCompactTable(toEqualLines(lines, what), TOLERANCE),
    azimuth: blocks.map((element) => toBlock(element, what)),
  };
}

const badTable = (what: string) =>
  sourceBroken(
    'metadata-bad-table',
    `The tables of the file ${what} are not in ascending order, or too large.`,
  );

const isPower = (value: number): boolean => value >= 0;

function toLine(element: XmlElement, name: string, what: string): TableLine {
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

function toBlock(element: XmlElement, what: string): NoiseBlock {
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
    ...toCompactCurve({ lines, values }, TOLERANCE),
  };
}
