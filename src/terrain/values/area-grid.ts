import { unsupported } from '../../errors.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';

/** Pixels on the longer side of an area: more change no statistic by a thousandth. */
const MAX_SIDE_PX = 1_024;
/** The deepest zoom level of terrain. */
const MAX_ZOOM = 16;
/** Where Web Mercator ends. */
const MAX_LATITUDE = 85.0511;

/** The pixels of an area: those of the deepest zoom level at which it has at most 1024 a side. */
export function toAreaGrid({ west, south, east, north }: LonLatBounds): Grid {
  if (south < -MAX_LATITUDE || north > MAX_LATITUDE) {
    throw unsupported(
      'area-beyond-map',
      `Terrain is measured on the map, which ends at ±${MAX_LATITUDE.toFixed(2)}° of latitude.`,
    );
  }
  const [left, right] = [toX(west), toX(east)];
  const [top, bottom] = [toY(north), toY(south)];
  const zoom = Math.min(
    MAX_ZOOM,
    Math.max(
      1,
      Math.floor(
        Math.log2((MAX_SIDE_PX * 2 * MERCATOR_HALF_SIDE_M) / 256 / Math.max(right - left, top - bottom, 1)),
      ),
    ),
  );
  const pixelM = (2 * MERCATOR_HALF_SIDE_M) / 256 / 2 ** zoom;
  const firstColumn = Math.floor(left / pixelM);
  const firstRow = Math.floor(-top / pixelM);
  return {
    epsg: 3857,
    transform: [firstColumn * pixelM, pixelM, 0, -firstRow * pixelM, 0, -pixelM],
    width: Math.max(1, Math.ceil(right / pixelM) - firstColumn),
    height: Math.max(1, Math.ceil(-bottom / pixelM) - firstRow),
  };
}

const toX = (longitude: number): number => (longitude / 180) * MERCATOR_HALF_SIDE_M;

const toY = (latitude: number): number =>
  (Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) * MERCATOR_HALF_SIDE_M;
