import { isSwathError } from '../../errors.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { DemFile, DemStore } from '../dem.ts';
import { toFileState } from '../dem.ts';
import type { DemLookup, FoundModel } from '../dem-lookup.ts';
import { ARTEFACT_REACH_PX } from '../heights/filter-heights.ts';
import { gridDegrees } from './mercator.ts';
import type { HeightsOptions } from './plan-heights.ts';

/** The heights that are wanted. */
interface HeightsRequest {
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
}

/** Pixels of a file around a position that interpolation uses, and some more for levels of other sizes. */
const REACH_PX = 6;

/** Builds the search for models. */
export function makeFindModels({ lookup, watch }: FindDeps): FindModels {
  return async ({ grid, isFiltered, isRenewed }) => {
    const { bounds, pixelDeg } = gridDegrees(grid);
    const query = { bounds, pixelDeg, reachPx: REACH_PX + (isFiltered ? ARTEFACT_REACH_PX : 0) };
    let models = await lookup.find(query);
    const files = models.flatMap((model) => model.files);
    if (isRenewed) await watch.renew(files);
    if (isRenewed || (await watch.check(files))) {
      lookup.forget();
      models = await lookup.find(query);
    }
    const within = widen(bounds, query.reachPx * Math.max(pixelDeg, ...models.map(coarsestDeg)));
    return {
      models,
      state: toState(models),
      options: { within, isFiltered, filterReachPx: ARTEFACT_REACH_PX },
    };
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

/** Notices that files of elevation models are replaced. */
export interface DemWatch {
  /** True if one of these files differs from its record and the record was renewed: look it up again. */
  check(files: readonly DemFile[]): Promise<boolean>;
  /** Renews the records of files that a thread found changed, however recent their last check. */
  renew(files: readonly DemFile[]): Promise<void>;
}

interface WatchDeps {
  readonly store: Pick<DemStore, 'putFiles'>;
  /** The state of a local file; null if it cannot be read. */
  readonly readStamp: (href: string) => Promise<string | null>;
  /** Reads the header of a file again; an image that is no longer the same model throws. */
  readonly readAgain: (file: DemFile) => Promise<DemFile>;
  readonly nowMs: () => number;
  readonly onRenewed: (file: DemFile) => void;
  readonly onFailure: (file: DemFile, error: unknown) => void;
}

/** Min interval between two checks of a file, as for scenes. */
const CHECK_MS = 5_000;
const MAX_KNOWN = 10_000;

/** Builds the watch. Remote files are compared when they are opened. */
export function makeDemWatch(deps: WatchDeps): DemWatch {
  const { store, readStamp, readAgain, nowMs, onRenewed, onFailure } = deps;
  const checkedAt = makeLru<number>({ max: MAX_KNOWN });

  const isChanged = async (file: DemFile): Promise<boolean> => {
    const [stamp] = file.stamps;
    const lastMs = checkedAt.get(file.id);
    if (stamp === undefined || (lastMs !== undefined && nowMs() - lastMs < CHECK_MS)) return false;
    checkedAt.set(file.id, nowMs());
    const current = await readStamp(file.href);
    return current !== null && current !== stamp;
  };

  const renewOne = async (file: DemFile): Promise<boolean> => {
    try {
      const renewed = await readAgain(file);
      await store.putFiles([renewed]);
      onRenewed(renewed);
      return true;
    } catch (error) {
      onFailure(file, error);
      // Reading its pixels reports the error.
      if (!isSwathError(error)) throw error;
      return false;
    }
  };

  const renewAll = async (files: readonly DemFile[]): Promise<boolean> => {
    let isAny = false;
    for (const file of files) isAny = (await renewOne(file)) || isAny;
    return isAny;
  };

  return {
    async check(files) {
      const states = await Promise.all(files.map(isChanged));
      return renewAll(files.filter((_, i) => states[i]));
    },
    async renew(files) {
      const local = await Promise.all(
        files.map(async (file) => {
          const current = await readStamp(file.href);
          return current === null || current !== file.stamps[0];
        }),
      );
      await renewAll(files.filter((file, i) => local[i] && file.stamps.length > 0));
    },
  };
}
