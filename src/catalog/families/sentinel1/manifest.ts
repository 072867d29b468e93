import { sourceBroken } from '../../../errors.ts';
import type { AreaGeometry, LonLat } from '../../../geo/index.ts';
import { descendantsOf, localName, parseXml, textAt } from '../../../xml/index.ts';
import { toArea } from '../../metadata/geojson.ts';
import {
  parseJsonObject,
  required,
  toNumber,
  toNumberWithin,
  toText,
  toUtcTime,
} from '../../metadata/values.ts';

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
