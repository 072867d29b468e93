import { makeTtlCache } from '../async/index.ts';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import type { LonLatBounds } from '../geo/index.ts';
import type { Dem, DemFile, DemLayer, DemStore, ListedDem } from './dem.ts';
import { unsupported } from './errors.ts';

/** A model and its files in a part of the world. */
export interface FoundModel {
  readonly dem: ListedDem;
  readonly files: readonly DemFile[];
}

/** What is looked up for a grid. */
interface ModelQuery {
  /** Longitudes may exceed ±180. */
  readonly bounds: LonLatBounds;
  /** Side of a pixel of the grid in degrees, at the equator. */
  readonly pixelDeg: number;
  /** Pixels of a file that a height may depend on, in each direction. */
  readonly reachPx: number;
}

/** Elevation models, looked up by location. */
export interface DemLookup {
  list(): Promise<readonly ListedDem[]>;
  /** Models with files, or with sea, around a grid, in the order of their rank. */
  find(query: ModelQuery): Promise<readonly FoundModel[]>;
  /** Clears the cache: files have changed. */
  forget(): void;
}

interface LookupDeps {
  readonly store: Pick<DemStore, 'list' | 'findFiles'>;
  readonly nowMs: () => number;
}

/** A model that another process ingests is seen after this time. */
const FRESH_MS = 1_000;
/** Files are looked up again when the list of models has changed, and in any case after this time. */
const MAX_AGE_MS = 60_000;
const MAX_REMEMBERED = 4_096;
/** More files make a tile too slow; models of many files have overview mosaics. */
const MAX_FILES = 64;
/** Look-ups are rounded outwards to these degrees, so that neighbouring tiles and points share them. */
const STEP_DEG = 1 / 16;
/** A degree of latitude in metres, on a sphere. */
const DEGREE_M = 111_195;

/** Builds the look-up of models; it caches what it found, so that a map makes few queries. */
export function makeDemLookup({ store, nowMs }: LookupDeps): DemLookup {
  const models = makeTtlCache<readonly ListedDem[]>({ nowMs, freshMs: FRESH_MS, max: 1 });
  const files = makeTtlCache<readonly DemFile[]>({ nowMs, freshMs: MAX_AGE_MS, max: MAX_REMEMBERED });
  let lastSeen = '';

  /** Every change shows in the list: it counts the files of a model, and an ingest ends with a new date. */
  const readList = async (): Promise<readonly ListedDem[]> => {
    const listed = await store.list();
    const seen = JSON.stringify(listed);
    if (seen !== lastSeen) files.forgetAll();
    lastSeen = seen;
    return listed;
  };

  const list = (): Promise<readonly ListedDem[]> => models.find('', readList);

  const findFiles = (dem: ListedDem, { bounds, pixelDeg, reachPx }: ModelQuery) => {
    const layer = chooseLayer(dem, pixelDeg);
    const pixel =
      layer.overview === 0 ? dem.coarsestM / DEGREE_M : (dem.overviews[layer.overview - 1]?.pixelDeg ?? 0);
    const wanted = widen(bounds, { reachPx, pixelDeg: pixel, gridDeg: pixelDeg });
    const key = [layer.dem, layer.overview, ...Object.values(wanted)].join(' ');
    return files.find(key, () => store.findFiles([layer], wanted, MAX_FILES + 1));
  };

  return {
    list,
    async find(query) {
      const found: FoundModel[] = [];
      for (const dem of await list()) {
        const isAny = found.some(({ files }) => files.length > 0);
        const some = await findFiles(dem, query).catch((error: unknown) => {
          // A small scale shows what was ingested, as it would without the live model.
          const isLeftOut = dem.live !== undefined && isAny && isTooMany(error);
          if (!isLeftOut) throw error;
          return null;
        });
        if (some === null) continue;
        if (some.length > MAX_FILES) throw tooManyFiles(dem, MAX_FILES);
        if (some.length > 0 || dem.gaps === 'sea') found.push({ dem, files: some });
      }
      return found;
    },
    forget() {
      models.forgetAll();
      files.forgetAll();
    },
  };
}

/**
 * Bounds with the reach of interpolation: in pixels of the files, or of the grid where those are larger, because a file
 * is read at a level that is not coarser than the grid. Towards the poles, pixels of a file have more degrees of
 * longitude, and those of a map have fewer of latitude.
 */
function widen(
  { west, south, east, north }: LonLatBounds,
  pixels: { readonly reachPx: number; readonly pixelDeg: number; readonly gridDeg: number },
): LonLatBounds {
  const down = (value: number): number => Math.floor(value / STEP_DEG) * STEP_DEG;
  const up = (value: number): number => Math.ceil(value / STEP_DEG) * STEP_DEG;
  const { reachPx, pixelDeg, gridDeg } = pixels;
  const cosineAt = (latitude: number): number => Math.cos((Math.min(85, Math.abs(latitude)) * Math.PI) / 180);
  const byLatitude = (latitude: number): number =>
    reachPx * Math.max(pixelDeg, 2 * gridDeg * cosineAt(latitude));
  const narrowest = Math.min(cosineAt(south), cosineAt(north));
  const byLongitude = reachPx * Math.max(pixelDeg / narrowest, gridDeg);
  return {
    west: down(west - byLongitude),
    south: down(south - byLatitude(south)),
    east: up(east + byLongitude),
    north: up(north + byLatitude(north)),
  };
}

const isTooMany = (error: unknown): boolean => isSwathError(error) && error.code === 'too-many-dem-files';

/** The refusal of a picture that needs more files of a model than `max`. */
export const tooManyFiles = ({ name }: Pick<Dem, 'name'>, max: number): SwathError =>
  unsupported(
    'too-many-dem-files',
    `This part of the world has more than ${max} files of the elevation model ${name}. Ask for a higher zoom level; "swath ingest dem" makes the overview mosaics that low ones need.`,
  );

/**
 * Pixels of an overview mosaic are at most this part of a pixel at the equator. Pixels of a map are smaller towards the
 * poles: up to 60° of latitude nothing is lost.
 */
const FINEST_SHARE = 0.5;

/** The layer of a model to read for pixels of so many degrees; the same for a whole zoom level. */
export function chooseLayer(
  { name, overviews }: Pick<Dem, 'name' | 'overviews'>,
  pixelDeg: number,
): DemLayer {
  const coarseEnough = overviews.findLastIndex((overview) => overview.pixelDeg <= FINEST_SHARE * pixelDeg);
  return { dem: name, overview: coarseEnough + 1 };
}
