/** What pixels are on the ground: positions of their corners, and their size on the ellipsoid. */
import type { Grid } from '../geo/index.ts';
import { areaKm2, LON_LAT_GRID } from '../geo/index.ts';
import type { Corner } from '../numbers/index.ts';
import { makePixelMapping } from '../proj/index.ts';

/** Degrees to a tenth of a millimetre; corners that patches share stay the same. */
const round = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;

/** From corners of pixels to longitude and latitude. */
export function makeToLonLat(grid: Grid): (corner: Corner) => [number, number] {
  const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
  return ([column, row]) => {
    const [lon, lat] = toTarget(column, row) as [number, number];
    return [round(lon), round(lat)];
  };
}

/** Within a block of so many pixels a side, pixels count as equally large: those of UTM are, to a millionth. */
export const GROUND_BLOCK_PX = 64;

/**
 * The size of a pixel on the ellipsoid in hectares, by the column and row of its block. Pixels of UTM differ from their
 * nominal size by up to 0.1 %, those in degrees and of Web Mercator by far more.
 */
export function makePixelHectares(grid: Grid): (blockColumn: number, blockRow: number) => number {
  // Not rounded: degrees to a tenth of a millimetre are too coarse for the area of few pixels.
  const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
  return (blockColumn, blockRow) => {
    const [left, top] = [blockColumn * GROUND_BLOCK_PX, blockRow * GROUND_BLOCK_PX];
    const [right, bottom] = [left + GROUND_BLOCK_PX, top + GROUND_BLOCK_PX];
    const ring = [
      [left, top],
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
    ].map(([x, y]) => toTarget(x!, y!) as [number, number]);
    return (100 * areaKm2({ type: 'Polygon', coordinates: [ring] })) / GROUND_BLOCK_PX ** 2;
  };
}
