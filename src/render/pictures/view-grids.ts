import { badInput } from '../../errors.ts';
import type { AreaGeometry, Grid, LonLat, Size } from '../../geo/index.ts';
import { areaBounds, MERCATOR_HALF_SIDE_M, tileGrid } from '../../geo/index.ts';
import { makeProjection, projectBounds } from '../../proj/index.ts';

/** Where Web Mercator ends, in degrees: its square is as high as it is wide. */
const MERCATOR_LAT = 85.05112877980659;

/** All of an outline on the map, with so many pixels on the longer side. */
export function toWholeGrid(outline: AreaGeometry, sidePx: number): Grid {
  const { west, east, south, north } = areaBounds(outline);
  const clamp = (lat: number): number => Math.min(MERCATOR_LAT, Math.max(-MERCATOR_LAT, lat));
  const degrees = { minX: west, minY: clamp(south), maxX: east, maxY: clamp(north) };
  const { minX, minY, maxX, maxY } = projectBounds(degrees, 4326, 3857) ?? WORLD;
  const pixelM = Math.max(maxX - minX, maxY - minY, 1) / sidePx;
  const size: Size = {
    width: Math.max(1, Math.round((maxX - minX) / pixelM)),
    height: Math.max(1, Math.round((maxY - minY) / pixelM)),
  };
  return { epsg: 3857, transform: [minX, pixelM, 0, maxY, 0, -pixelM], ...size };
}

const HALF = MERCATOR_HALF_SIDE_M;
const WORLD = { minX: -HALF, minY: -HALF, maxX: HALF, maxY: HALF };

/** The map around a position, at a zoom level of tiles of 256 pixels. */
export function toViewGrid([lon, lat]: LonLat, zoom: number, sidePx: number): Grid {
  if (Math.abs(lat) > MERCATOR_LAT) {
    throw badInput('bad-position', `The map ends at ${MERCATOR_LAT.toFixed(2)} degrees of latitude.`);
  }
  const [x, y] = makeProjection(4326, 3857).forward(lon, lat);
  const pixelM = tileGrid({ z: zoom, x: 0, y: 0 }).transform[1];
  const transform = [x - (sidePx / 2) * pixelM, pixelM, 0, y + (sidePx / 2) * pixelM, 0, -pixelM] as const;
  return { epsg: 3857, transform, width: sidePx, height: sidePx };
}
