import { unsupported } from '../errors.ts';

/**
 * The definition of a reference system, built from its EPSG code: no database and no network.
 * Known are WGS 84 in degrees (4326), Web Mercator (3857) and the WGS 84 UTM zones (32601-32660, 32701-32760).
 */
export function projDefinition(epsg: number): string {
  if (epsg === 4326) return '+proj=longlat +datum=WGS84 +no_defs';
  // A sphere of the ellipsoid's semi-major axis; "@null" keeps proj4 from shifting datums between the two.
  if (epsg === 3857) return '+proj=merc +a=6378137 +b=6378137 +units=m +nadgrids=@null +no_defs';
  const zone = epsg % 100;
  const family = epsg - zone;
  if (Number.isInteger(epsg) && zone >= 1 && zone <= 60 && (family === 32600 || family === 32700)) {
    return `+proj=utm +zone=${zone}${family === 32700 ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`;
  }
  throw unsupported(
    'unknown-crs',
    `The reference system EPSG:${epsg} is unknown; known are 4326, 3857 and the UTM zones of WGS 84.`,
    { details: { epsg } },
  );
}
