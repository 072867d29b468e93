import { LON_LAT_GRID } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';

/** A position on Earth, in degrees of WGS 84. */
export interface GroundPoint {
  readonly lat: number;
  readonly lon: number;
}

/** Column and row of a pixel, counted from 0. */
export interface PixelPosition {
  readonly x: number;
  readonly y: number;
}

/** Images in degrees may go on beyond 180, on either side. */
const TURNS_DEG = [0, 360, -360];

/** The pixel of an image that holds a position; null if it lies outside. */
export function findPixel(image: GeoreferencedGrid, { lat, lon }: GroundPoint): PixelPosition | null {
  const { toSource } = makePixelMapping(LON_LAT_GRID, image);
  for (const turn of TURNS_DEG) {
    const [col, row] = toSource(lon + turn, lat);
    const [x, y] = [Math.floor(col), Math.floor(row)];
    // NaN, where there is no way, is not inside either.
    if (x >= 0 && y >= 0 && x < image.width && y < image.height) return { x, y };
  }
  return null;
}
