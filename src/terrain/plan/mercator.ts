import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { gridBounds, MERCATOR_HALF_SIDE_M, moveOrigin } from '../../geo/index.ts';
import { fromMercator, UNBOUNDED_MERCATOR } from '../../proj/index.ts';

/** The circumference of the Earth in the units of a reference system that spans it; null for any other. */
export function turnOf({ epsg, proj }: Pick<Grid, 'epsg' | 'proj'>): number | null {
  if (proj != null) return proj.includes('+proj=longlat') ? 360 : null;
  if (epsg === 3857) return 2 * MERCATOR_HALF_SIDE_M;
  return isGeographic(epsg) ? 360 : null;
}

/** Geographic systems of DEMs, whose coordinates are degrees: WGS 84, ETRS89, NAD83. */
export const isGeographic = (epsg: number): boolean => epsg === 4326 || epsg === 4258 || epsg === 4269;

/** A grid in a system whose coordinates go on beyond the antimeridian. */
export const toUnbounded = <Placed extends Pick<Grid, 'epsg' | 'proj'>>(grid: Placed): Placed =>
  grid.epsg === 3857 && grid.proj == null ? { ...grid, epsg: 0, proj: UNBOUNDED_MERCATOR } : grid;

/** The longitude of x in Web Mercator, in degrees; beyond ±180 outside of the map. */
export const toLongitude = (xM: number): number => fromMercator(xM, 0)[0];

/** The latitude of y in Web Mercator, in degrees. */
export const toLatitude = (yM: number): number => fromMercator(0, yM)[1];

/** The bounds of a grid in Web Mercator, in degrees; longitudes may exceed ±180. */
export function mercatorBounds(grid: Grid): LonLatBounds {
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  return {
    west: toLongitude(minX),
    east: toLongitude(maxX),
    south: toLatitude(minY),
    north: toLatitude(maxY),
  };
}

/** The bounds of a grid in Web Mercator or in degrees, and the side of its pixels at the equator, in degrees. */
export function gridDegrees(grid: Grid): { readonly bounds: LonLatBounds; readonly pixelDeg: number } {
  const [, a, b, , c, d] = grid.transform;
  const pixel = Math.min(Math.hypot(a, c), Math.hypot(b, d));
  if (grid.epsg === 3857) return { bounds: mercatorBounds(grid), pixelDeg: toLongitude(pixel) };
  const { minX: west, minY: south, maxX: east, maxY: north } = gridBounds(grid);
  return { bounds: { west, south, east, north }, pixelDeg: pixel };
}

/**
 * The ground size of a pixel in metres, for every row of a grid in Web Mercator: the pixel times the cosine of the
 * latitude, which is 1 / cosh(y) on a map of radius 1.
 */
export function groundSizes({ transform, height }: Grid): Float64Array {
  const [, pixelM, , originY, , pixelHeight] = transform;
  const sizes = new Float64Array(height);
  for (let row = 0; row < height; row++) {
    const yM = originY + (row + 0.5) * pixelHeight;
    sizes[row] = pixelM / Math.cosh((yM / MERCATOR_HALF_SIDE_M) * Math.PI);
  }
  return sizes;
}

/** A grid with so many more pixels on each side. */
export const widenGrid = (grid: Grid, byPx: number): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, { x: -byPx, y: -byPx }),
  width: grid.width + 2 * byPx,
  height: grid.height + 2 * byPx,
});
