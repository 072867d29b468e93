import type { AreaGeometry, LonLat } from '../../../geo/index.ts';
import { descendantsOf, elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { sourceBroken } from '../../errors.ts';
import {
  parseJsonObject,
  required,
  toArea,
  toNumber,
  toNumberWithin,
  toText,
  toUtcTime,
} from '../../metadata-values.ts';

/** A point of the geolocation grid: its pixel, counted from the centre of the first pixel, and its location. */
interface GridPoint {
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

/** The description of a whole radar product, from `manifest.safe` or from `productInfo.json` of the bucket. */
export interface Sentinel1Overview {
  /** The product's name; the manifest does not have it. */
  readonly name: string | null;
  /** Its path in the bucket. */
  readonly path: string | null;
  readonly startedAt: string;
  readonly stoppedAt: string | null;
  readonly mode: string | null;
  readonly absoluteOrbit: number | null;
  /** `ASCENDING` or `DESCENDING`; the bucket's file does not have it. */
  readonly pass: string | null;
  readonly processedAt: string | null;
  /** The provider's longitudes and latitudes; may exceed 180 degrees. */
  readonly footprint: AreaGeometry | null;
}

/** Reads `manifest.safe`. */
export function parseSentinel1Manifest(text: string, what: string): Sentinel1Overview {
  const root = parseXml(text, what);
  if (localName(root) !== 'XFDU') {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} is not the manifest of a SAFE folder.`);
  }
  const first = (name: string) => descendantsOf(root, name)[0] ?? null;
  const period = required(first('acquisitionPeriod'), 'acquisitionPeriod', what);
  return {
    name: null,
    path: null,
    startedAt: required(toUtcTime(textAt(period, 'startTime')), 'startTime', what),
    stoppedAt: toUtcTime(textAt(period, 'stopTime')),
    mode: first('mode')?.text.trim() ?? null,
    absoluteOrbit: toNumber(first('orbitNumber')?.text),
    pass: first('pass')?.text.trim().toUpperCase() ?? null,
    processedAt: toUtcTime(first('processing')?.attributes.stop),
    footprint: toFootprint(first('coordinates')?.text ?? ''),
  };
}

/** `lat,lon lat,lon …`, not closed. */
function toFootprint(text: string): AreaGeometry | null {
  const ring = text
    .trim()
    .split(/\s+/)
    .map((pair): LonLat => {
      const [lat, lon] = pair.split(',');
      return [toNumberWithin(lon, [-360, 360]) ?? Number.NaN, toNumberWithin(lat, [-90, 90]) ?? Number.NaN];
    });
  return toArea({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
}

/** Reads `productInfo.json` of the bucket of Sentinel-1. */
export function parseSentinel1ProductInfo(text: string, what: string): Sentinel1Overview {
  const info = parseJsonObject(text, what);
  return {
    name: toText(info.id),
    path: toText(info.path),
    startedAt: required(toUtcTime(toText(info.startTime)), 'startTime', what),
    stoppedAt: toUtcTime(toText(info.stopTime)),
    mode: toText(info.mode),
    absoluteOrbit: toNumber(toText(info.absoluteOrbitNumber)),
    pass: null,
    processedAt: toUtcTime(toText(info.sciHubIngestion)),
    footprint: toArea(info.footprint),
  };
}
