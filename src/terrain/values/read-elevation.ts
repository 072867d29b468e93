import { isSwathError } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { DemFile } from '../dems/dem.ts';
import type { FindModels, FoundModels } from '../plan/find-models.ts';
import type { PatchJobs } from './height-patches.ts';
import { makeReadFileHeight } from './height-patches.ts';
import type { Location } from './location.ts';
import type { ReadGrid } from './read-grid.ts';

/** The height at a location in metres; null where it is not known. */
export type ReadElevation = (location: Location, ticket: Ticket) => Promise<number | null>;

/** Smaller than the pixels of any model: heights are then interpolated between pixels of full resolution. */
const PIXEL_DEG = 1e-7;

interface ElevationDeps {
  readonly findModels: FindModels;
  readonly readGrid: ReadGrid;
  readonly pool: JobRunner<PatchJobs>;
}

/** Builds the reading of single heights, by bilinear interpolation between the pixels of the best model. */
export function makeReadElevation({ findModels, readGrid, pool }: ElevationDeps): ReadElevation {
  const readFileHeight = makeReadFileHeight(pool);
  return async (location, ticket) => {
    const grid = toPixelGrid(location);
    const found = await findModels({ grid, isFiltered: false, isRenewed: false });
    try {
      for (const file of filesAround(found, location)) {
        const height = await readFileHeight(file, location, ticket);
        if (height !== null) return height;
      }
    } catch (error) {
      // The record is renewed below.
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
    }
    const [height = Number.NaN] = await readGrid({ grid, method: 'bilinear', isFiltered: false }, ticket);
    return Number.isNaN(height) ? null : height;
  };
}

const toPixelGrid = ({ lat, lon }: Location): Grid => ({
  epsg: 4326,
  transform: [lon - PIXEL_DEG / 2, PIXEL_DEG, 0, lat + PIXEL_DEG / 2, 0, -PIXEL_DEG],
  width: 1,
  height: 1,
});

/** Files of the best model whose bounds hold a location, finest first. */
function filesAround({ models }: FoundModels, { lat, lon }: Location): readonly DemFile[] {
  const [best] = models;
  const around = best?.files.filter(({ bounds: { west, south, east, north } }) => {
    const turned = lon < west ? lon + 360 : lon;
    return lat >= south && lat <= north && turned >= west && turned <= east;
  });
  return around?.toSorted((one, other) => one.resolutionM - other.resolutionM) ?? [];
}
