/** Places on the made-up ground: positions by their distance from the upper left corner of a scene's images. */
import type { Ground } from '../../src/live/testing/ground.ts';
import { groundAt, SQUARE_M } from '../../src/live/testing/ground.ts';
import { makeProjection } from '../../src/proj/index.ts';
import type { Position } from './live-service.ts';

/** Where the images of a scene lie. */
export interface Frame {
  readonly epsg: number;
  /** The upper left corner. */
  readonly west: number;
  readonly north: number;
}

/** A place of a scene in metres from its corner. */
export interface Offset {
  readonly eastM: number;
  readonly southM: number;
}

/** The middle of a square of the ground: clouds that cover a ninth of the scene and less do not reach it. */
export const CLEAR_CROP: Offset = { eastM: 40.5 * SQUARE_M, southM: 40.5 * SQUARE_M };
/** In the corner that is the first under clouds. */
export const CORNER_CROP: Offset = { eastM: 2.5 * SQUARE_M, southM: 2.5 * SQUARE_M };

/** Longitude and latitude of a place. */
export function positionOf({ epsg, west, north }: Frame, { eastM, southM }: Offset): Position {
  const [lon, lat] = makeProjection(epsg, 4326).forward(west + eastM, north - southM);
  return [lon, lat];
}

/** What lies at a place without clouds. */
export const groundOf = ({ eastM, southM }: Offset): Ground => groundAt(eastM, southM);

/** A rectangle around a place, as GeoJSON. */
export function fieldAround(frame: Frame, { eastM, southM }: Offset, halfWidthM = 300, halfHeightM = 300) {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const;
  return {
    type: 'Polygon',
    coordinates: [
      corners.map(([x, y]) =>
        positionOf(frame, { eastM: eastM + x * halfWidthM, southM: southM + y * halfHeightM }),
      ),
    ],
  };
}

/** `west, south, east, north` of a field. */
export function boxOf({ coordinates }: ReturnType<typeof fieldAround>): readonly number[] {
  const [ring = []] = coordinates;
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}
