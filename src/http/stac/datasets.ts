/** Which datasets have items, and what they cover: read from the catalog, and remembered for a short time. */
import { makeTtlCache } from '../../async/index.ts';
import type { SceneQuery, SceneStore } from '../../catalog/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { areaBounds } from '../../geo/index.ts';
import type { DatasetTextStore } from '../../library/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { SceneOrigins } from '../reference.ts';
import type { CollectionText } from './collection-text.ts';
import { toCollectionText } from './collection-text.ts';

/** What the scenes of a dataset cover. */
export interface DatasetExtent {
  /** West, south, east and north. */
  readonly box: readonly [number, number, number, number];
  /** The times of the first and the last scene; null where they are not known. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A dataset that is a collection, and its words. */
export interface StacDataset {
  readonly sensor: Sensor;
  readonly text: CollectionText;
  /** Whether it has scenes, or a live catalog has some; a collection that someone has created need not. */
  readonly hasScenes: boolean;
}

/** The datasets of the service. */
export interface StacDatasets {
  /** Those that have scenes or were described, in the order of the sensors. */
  list(): Promise<readonly StacDataset[]>;
  /** One of them; null if it is none. */
  find(dataset: string): Promise<StacDataset | null>;
  readExtent(dataset: string): Promise<DatasetExtent>;
  /** Call this after a scene or a text was put or removed. */
  forget(): void;
}

interface DatasetDeps {
  readonly scenes: Pick<SceneStore, 'countByDataset' | 'searchHits'>;
  readonly datasetTexts: Pick<DatasetTextStore, 'list'>;
  readonly origins: Pick<SceneOrigins, 'readCatalogs'>;
  readonly nowMs: () => number;
}

/** How long lists and extents are remembered: every search reads them. */
const FRESH_MS = 10_000;

/** Scenes whose footprints are joined; more than these are said to cover the world. */
const MAX_JOINED = 1_000;

const WORLD = [-180, -90, 180, 90] as const;

/** Builds them. */
export function makeStacDatasets({ scenes, datasetTexts, origins, nowMs }: DatasetDeps): StacDatasets {
  const lists = makeTtlCache<{
    readonly datasets: readonly StacDataset[];
    readonly live: ReadonlySet<string>;
  }>({
    nowMs,
    freshMs: FRESH_MS,
    max: 1,
  });
  const extents = makeTtlCache<DatasetExtent>({ nowMs, freshMs: FRESH_MS, max: sensors.length });

  const find = () =>
    lists.find('all', async () => {
      const [counts, catalogs, texts] = await Promise.all([
        scenes.countByDataset(),
        origins.readCatalogs(),
        datasetTexts.list(),
      ]);
      const live = new Set(catalogs.flatMap(({ datasets }) => datasets));
      const all = sensors.map((sensor): StacDataset => {
        const { dataset } = sensor;
        const text = toCollectionText(sensor, texts.get(dataset) ?? null);
        return { sensor, text, hasScenes: counts.has(dataset) || live.has(dataset) };
      });
      return {
        datasets: all.filter(({ sensor, hasScenes }) => hasScenes || texts.has(sensor.dataset)),
        live,
      };
    });

  return {
    list: async () => (await find()).datasets,
    find: async (dataset) => (await find()).datasets.find(({ sensor }) => sensor.dataset === dataset) ?? null,
    async readExtent(dataset) {
      const { live } = await find();
      // A live catalog is not asked for its first scene of all: it covers the world as far as anyone here knows.
      if (live.has(dataset)) return { box: WORLD, from: null, to: null };
      return extents.find(dataset, () => readStored(dataset, scenes));
    },
    forget() {
      lists.forgetAll();
      extents.forgetAll();
    },
  };
}

async function readStored(dataset: string, scenes: Pick<SceneStore, 'searchHits'>): Promise<DatasetExtent> {
  const toQuery = (descending: boolean, limit: number): SceneQuery => ({
    datasets: [{ id: dataset, filters: [] }],
    sort: { field: 'date', descending },
    offset: 0,
    limit,
  });
  const [oldest, newest] = await Promise.all([
    scenes.searchHits(toQuery(false, 1)),
    scenes.searchHits(toQuery(true, 1)),
  ]);
  const from = oldest.hits[0]?.acquiredAt ?? null;
  const to = newest.hits[0]?.acquiredAt ?? null;
  if (newest.found > MAX_JOINED) return { box: WORLD, from: toDayStart(from), to: toDayEnd(to) };
  const { hits } = await scenes.searchHits(toQuery(true, MAX_JOINED));
  const times = hits.map(({ acquiredAt }) => acquiredAt).sort();
  return {
    box: joinBounds(hits.map(({ footprint }) => areaBounds(footprint))),
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
}

/** Search knows days: the first scene of the first day may be earlier than the one that was found. */
const toDayStart = (time: string | null): string | null =>
  time === null ? null : `${time.slice(0, 10)}T00:00:00Z`;
const toDayEnd = (time: string | null): string | null =>
  time === null ? null : `${time.slice(0, 10)}T23:59:59Z`;

function joinBounds(bounds: readonly LonLatBounds[]): DatasetExtent['box'] {
  // Ground across the antimeridian is on both sides of the map.
  if (bounds.length === 0 || bounds.some(({ east, west }) => east > 180 || west < -180)) return WORLD;
  const box = bounds.reduce((a, b) => ({
    west: Math.min(a.west, b.west),
    south: Math.min(a.south, b.south),
    east: Math.max(a.east, b.east),
    north: Math.max(a.north, b.north),
  }));
  return [box.west, box.south, box.east, box.north];
}
