import type { Grid, LonLatBounds } from '../../geo/index.ts';
import type { DemLookup, FoundModel } from '../dems/dem-lookup.ts';
import type { DemWatch } from '../dems/dem-watch.ts';
import { toFileState } from '../dems/file-state.ts';
import { gridDegrees } from './mercator.ts';
import type { HeightsOptions } from './plan-heights.ts';

/** The heights that are wanted. */
export interface HeightsRequest {
  /** In Web Mercator or in degrees. */
  readonly grid: Grid;
  readonly isFiltered: boolean;
  /** Set after a thread found that files have changed: their records are renewed first. */
  readonly isRenewed: boolean;
}

/** The models around a grid. */
export interface FoundModels {
  /** By rank. */
  readonly models: readonly FoundModel[];
  /** Names the state of all that was found: equal states give equal plans. */
  readonly state: string;
  readonly options: Omit<HeightsOptions, 'maxBytes'>;
}

/** Finds the models around a grid, with files that are as their records say. */
export type FindModels = (request: HeightsRequest) => Promise<FoundModels>;

interface FindDeps {
  readonly lookup: DemLookup;
  readonly watch: DemWatch;
  /** How far the filter looks around a pixel of a file. */
  readonly filterReachPx: number;
}

/** Pixels of a file around a position that interpolation uses, and some more for levels of other sizes. */
const REACH_PX = 6;

/** Builds the search for models. */
export function makeFindModels({ lookup, watch, filterReachPx }: FindDeps): FindModels {
  return async ({ grid, isFiltered, isRenewed }) => {
    const { bounds, pixelDeg } = gridDegrees(grid);
    const query = { bounds, pixelDeg, reachPx: REACH_PX + (isFiltered ? filterReachPx : 0) };
    let models = await lookup.find(query);
    const files = models.flatMap((model) => model.files);
    if (isRenewed) await watch.renew(files);
    if (isRenewed || (await watch.check(files))) {
      lookup.forget();
      models = await lookup.find(query);
    }
    const within = widen(bounds, query.reachPx * Math.max(pixelDeg, ...models.map(coarsestDeg)));
    return { models, state: toState(models), options: { within, isFiltered, filterReachPx } };
  };
}

/** The largest pixel of the files that were found, in degrees. */
const coarsestDeg = ({ files }: FoundModel): number =>
  Math.max(0, ...files.map(({ bounds, width }) => (bounds.east - bounds.west) / width));

const widen = ({ west, south, east, north }: LonLatBounds, byDeg: number): LonLatBounds => ({
  west: west - byDeg,
  south: south - byDeg,
  east: east + byDeg,
  north: north + byDeg,
});

const toState = (models: readonly FoundModel[]): string =>
  models.map(({ dem, files }) => [dem.name, dem.gaps, ...files.map(toFileState)].join(' ')).join('\n');
