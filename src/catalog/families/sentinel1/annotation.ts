import { sourceBroken } from '../../../errors.ts';
import type { LonLat } from '../../../geo/index.ts';
import { descendantsOf, elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumberWithin, toUtcTime } from '../../metadata/values.ts';

/** A point of the geolocation grid: its pixel, counted from the centre of the first pixel, and its location. */
export interface GridPoint {
  readonly line: number;
  readonly pixel: number;
  readonly position: LonLat;
  readonly heightM: number;
}

/** The annotation of one polarisation. */
export interface Sentinel1Annotation {
  readonly mission: string;
  readonly mode: string;
  readonly polarisation: string;
  readonly startedAt: string;
  readonly stoppedAt: string;
  readonly absoluteOrbit: number;
  readonly pass: 'ASCENDING' | 'DESCENDING';
  readonly width: number;
  readonly height: number;
  /** Line by line. */
  readonly grid: readonly GridPoint[];
}

/** Products have some 200 points. */
const MAX_GRID_POINTS = 10_000;

/** Reads `annotation/s1a-iw-grd-vv-….xml`. */
export function parseSentinel1Annotation(text: string, what: string): Sentinel1Annotation {
  const root = parseXml(text, what);
  const header = elementAt(root, 'adsHeader');
  const image = elementAt(root, 'imageAnnotation/imageInformation');
  if (localName(root) !== 'product' || header === null || image === null) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is not an annotation of Sentinel-1.`);
  }
  const pass = textAt(root, 'generalAnnotation/productInformation/pass')?.toUpperCase();
  const count = (name: string) => required(toNumberWithin(textAt(image, name), [1, 100_000]), name, what);
  return {
    mission: required(textAt(header, 'missionId'), 'missionId', what),
    mode: required(textAt(header, 'mode'), 'mode', what),
    polarisation: required(/^[HV]{2}$/.exec(textAt(header, 'polarisation') ?? '')?.[0], 'polarisation', what),
    startedAt: required(toUtcTime(textAt(header, 'startTime')), 'startTime', what),
    stoppedAt: required(toUtcTime(textAt(header, 'stopTime')), 'stopTime', what),
    absoluteOrbit: required(
      toNumberWithin(textAt(header, 'absoluteOrbitNumber'), [1, 1e6]),
      'absoluteOrbitNumber',
      what,
    ),
    pass: required(pass === 'ASCENDING' || pass === 'DESCENDING' ? pass : null, 'pass', what),
    width: count('numberOfSamples'),
    height: count('numberOfLines'),
    grid: descendantsOf(root, 'geolocationGridPoint')
      .slice(0, MAX_GRID_POINTS)
      .map((point) => {
        const number = (name: string, range: readonly [number, number]) =>
          required(toNumberWithin(textAt(point, name), range), name, what);
        return {
          line: number('line', [-1e6, 1e6]),
          pixel: number('pixel', [-1e6, 1e6]),
          position: [number('longitude', [-180, 180]), number('latitude', [-90, 90])],
          heightM: number('height', [-1e4, 1e5]),
        };
      }),
  };
}
