import { isSwathError } from '../../errors.ts';
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
