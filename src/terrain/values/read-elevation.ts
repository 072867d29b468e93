import type { Grid } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { ReadGrid } from './read-grid.ts';

/** A location in degrees. */
export interface Location {
  readonly lat: number;
  readonly lon: number;
}

/** The height at a location in metres; null where it is not known. */
export type ReadElevation = (location: Location, ticket: Ticket) => Promise<number | null>;

/** Smaller than the pixels of any model: heights are then interpolated between pixels of full resolution. */
const PIXEL_DEG = 1e-7;

/** Builds the reading of single heights, by bilinear interpolation between the pixels of the best model. */
export const makeReadElevation =
  (readGrid: ReadGrid): ReadElevation =>
  async ({ lat, lon }, ticket) => {
    const grid: Grid = {
      epsg: 4326,
      transform: [lon - PIXEL_DEG / 2, PIXEL_DEG, 0, lat + PIXEL_DEG / 2, 0, -PIXEL_DEG],
      width: 1,
      height: 1,
    };
    const [height = Number.NaN] = await readGrid({ grid, method: 'bilinear', isFiltered: false }, ticket);
    return Number.isNaN(height) ? null : height;
  };
