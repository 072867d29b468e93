import type { AreaGeometry } from '../../geo/index.ts';
import { toArea } from '../metadata/geojson.ts';
import type { StacItem } from './item.ts';
import { toNumber, toTime } from './json.ts';

/** The fields that items of all families share, from the newest to the oldest STAC version. */
export function toCommonFacts({ properties, geometry }: StacItem) {
  const first = (names: readonly string[], bounds: [number, number]) =>
    names.map((name) => toNumber(properties[name], bounds)).find((value) => value !== null) ?? null;
  const zenith = first(['s2:mean_solar_zenith'], [0, 180]);
  const area = toItemArea(geometry);
  return {
    cloudPercent: first(['eo:cloud_cover'], [0, 100]),
    sunElevationDeg:
      first(['view:sun_elevation', 'eo:sun_elevation'], [-90, 90]) ?? (zenith === null ? null : 90 - zenith),
    sunAzimuthDeg: first(['view:sun_azimuth', 'eo:sun_azimuth', 's2:mean_solar_azimuth'], [-180, 360]),
    stated: area === null ? null : { area, epsg: 4326 },
  };
}

/** Outlines of products have tens of points; the check for crossing edges takes quadratic time. */
const MAX_POINTS = 5_000;

/** The polygons of an item's geometry; null if there are none, or more points than any product has. */
export function toItemArea(geometry: unknown): AreaGeometry | null {
  const area = toArea(geometry);
  if (area === null) return null;
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_POINTS ? area : null;
}

/** Acquisition time of an item's scene, of a span its beginning; null if the item does not say. */
export const toItemTime = ({ properties }: StacItem): string | null =>
  toTime(properties.datetime) ?? toTime(properties.start_datetime);

/** The time of an item if it is on the day of its name; otherwise the beginning of that day. */
export function timeOnDay(item: StacItem, day: string): string {
  const time = toItemTime(item);
  return time?.slice(0, 10) === day ? time : `${day}T00:00:00.000Z`;
}

/** The first match of a pattern in the id of an item, and then in its addresses. */
export function findInNames({ id, assets }: StacItem, pattern: RegExp): RegExpExecArray | null {
  for (const text of [id, ...assets.flatMap(({ hrefs }) => hrefs)]) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}
