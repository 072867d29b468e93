import { isSwathError } from '../../errors.ts';
import { WGS84_RADIUS_M } from '../../geo/index.ts';
import type { CrsId } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { unsupported } from '../errors.ts';
import type { ToLonLat } from './clean-geometry.ts';

/** Positions that tell longitude and latitude of WGS 84 from any other system. */
const SAMPLES = [
  [0, 0],
  [13, 51],
  [-75, -30],
] as const;
/** In degrees: a tenth of a millimetre. */
const SAME = 1e-9;

/**
 * From a reference system to longitude and latitude; null if it has them already, so that numbers pass unchanged. One
 * that is not known throws `shape-crs`.
 */
export function toLonLatFrom(crs: CrsId | null): ToLonLat | null {
  if (crs === null || crs === 4326) return null;
  if (typeof crs === 'string') refuseUnknownShift(crs);
  try {
    const { forward } = makeProjection(crs, 4326);
    const isLonLat = SAMPLES.every(([x, y]) => {
      const [lon, lat] = forward(x, y);
      return Math.abs(lon - x) < SAME && Math.abs(lat - y) < SAME;
    });
    return isLonLat ? null : forward;
  } catch (cause) {
    if (!isSwathError(cause)) throw cause;
    throw unsupported('shape-crs', `The reference system of the file is not known: ${cause.message}`, {
      cause,
    });
  }
}

/**
 * The EPSG code in a name such as `EPSG:25833`, `urn:ogc:def:crs:EPSG::25833` or `urn:ogc:def:crs:OGC:1.3:CRS84`; null if
 * it is another name.
 */
export function parseCrsName(name: string): number | null {
  if (/\bCRS84h?$/i.test(name)) return 4326;
  const [, code] = /\bEPSG[:/](?:[\w.]*[:/])?(\d{4,6})$/i.exec(name) ?? [];
  return code === undefined ? null : Number(code);
}

/**
 * Refuses well-known text whose ellipsoid is not that of WGS 84 and that has no shift against it: positions would be wrong
 * by some hundred metres, and fields would be next to themselves.
 */
function refuseUnknownShift(definition: string): void {
  const [, axis] =
    /\b(?:SPHEROID|ELLIPSOID)\s*[[(]\s*"[^"]{0,100}"\s*,\s*([\d.]{1,30})/i.exec(definition) ?? [];
  if (axis === undefined || Math.abs(Number(axis) - WGS84_RADIUS_M) < 1 || /\bTOWGS84\b/i.test(definition))
    return;
  throw unsupported(
    'shape-crs',
    'The file does not say how its datum is shifted against WGS 84. Convert it to WGS 84 (EPSG:4326) first.',
  );
}
