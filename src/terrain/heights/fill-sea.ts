import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { toLatitude, toLongitude } from '../plan/mercator.ts';
import type { HeightPlane, HeightWork } from './height-work.ts';
import { viewPlane } from './height-work.ts';

/** Sets unknown heights outside of the bounds of land to 0 m, on an upright grid in degrees or in Web Mercator. */
export function fillSea(
  plane: HeightPlane,
  { grid, land }: { readonly grid: Grid; readonly land: readonly LonLatBounds[] },
  { kernels }: HeightWork,
): void {
  const { values, mask } = viewPlane(kernels, plane);
  if (mask === null) return;
  const isLand = markLand(land, grid);
  for (let i = 0; i < values.length; i++) {
    if (isLand[i] === 1 || mask[i] === 1) continue;
    values[i] = 0;
    mask[i] = 1;
  }
}

/** 1 for the pixels whose centres lie in one of the bounds, here or a turn further. */
function markLand(land: readonly LonLatBounds[], grid: Grid): Uint8Array {
  const { longitudes, latitudes } = toDegrees(grid);
  const isLand = new Uint8Array(longitudes.length * latitudes.length);
  for (const { west, east, south, north } of land) {
    const columns = Uint8Array.from(longitudes, (longitude) =>
      [-360, 0, 360].some((turn) => longitude + turn >= west && longitude + turn <= east) ? 1 : 0,
    );
    for (const [y, latitude] of latitudes.entries()) {
      if (latitude < south || latitude > north) continue;
      const start = y * columns.length;
      for (let x = 0; x < columns.length; x++) isLand[start + x]! |= columns[x]!;
    }
  }
  return isLand;
}

/** Longitudes of the columns and latitudes of the rows. */
function toDegrees({ epsg, transform, width, height }: Grid) {
  const [originX, pixelWidth, , originY, , pixelHeight] = transform;
  const isMercator = epsg === 3857;
  const toLon = (x: number): number => (isMercator ? toLongitude(x) : x);
  const toLat = (y: number): number => (isMercator ? toLatitude(y) : y);
  return {
    longitudes: Float64Array.from({ length: width }, (_, x) => toLon(originX + (x + 0.5) * pixelWidth)),
    latitudes: Float64Array.from({ length: height }, (_, y) => toLat(originY + (y + 0.5) * pixelHeight)),
  };
}
