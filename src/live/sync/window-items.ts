/** The items of a window at the source: whole, as a light list, or a few by their ids. */
import { isSwathError } from '../../errors.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import type { StacItem } from '../../ingest/index.ts';
import { isWanted, parseItem, SOURCE_LIMITS } from '../../ingest/index.ts';
import type { CatalogClient } from '../catalog-client.ts';
import { unavailable } from '../errors.ts';
import { withAssets } from '../hit-stream.ts';
import { toItemSearch } from '../item-search.ts';
import type { LiveCollection } from '../live-catalog.ts';
import type { SyncPlan, SyncWindow } from './sync-plan.ts';
import { toOwnDays } from './sync-plan.ts';
import type { SyncedItem } from './sync-state.ts';

/** An item of a window that the plan wants. */
export interface ListedItem {
  readonly collection: string;
  readonly item: StacItem;
  readonly value: unknown;
  /** The address that answered it. */
  readonly url: string;
  readonly updated: string | null;
}

/** Items of windows. Every call throws `catalog-unavailable` if the catalog does not answer completely. */
export interface WindowItems {
  /** Whole items, as an ingest needs them. */
  readWhole(window: SyncWindow): AsyncGenerator<ListedItem>;
  /** The same items without their files: some hundred bytes each; null if the API cannot leave them out. */
  readLight(window: SyncWindow): Promise<AsyncGenerator<ListedItem> | null>;
  /** Whole items by id; those that are gone meanwhile are missing. */
  readByIds(window: SyncWindow, items: readonly SyncedItem[]): AsyncGenerator<ListedItem>;
  /** Why an item is not in its list any more; null if it should be, so that the list must have been wrong. */
  explainAbsence(window: SyncWindow, item: SyncedItem): Promise<Absence | null>;
}

/** The item does not exist any more, or it has changed so that the plan does not want it. */
export type Absence = 'removed' | 'unwanted';

interface WindowItemsDeps {
  readonly client: CatalogClient;
  readonly plan: SyncPlan;
  readonly signal: AbortSignal;
  /** Called with the number of items that the catalog says it has. */
  readonly onTotal: (total: number) => void;
  /** Called for JSON that is not an item, with the reason. */
  readonly onBroken: (code: string, reason: string) => void;
}

/** Whole items of a page: some 5 MB of Sentinel-2. */
const WHOLE_ITEMS = 100;

/** Builds the reader. */
export function makeWindowItems({ client, plan, signal, onTotal, onBroken }: WindowItemsDeps): WindowItems {
  const { catalog } = client;
  const currentSignal = (): AbortSignal => signal;
  const collectionsOf = ({ dataset }: SyncWindow): readonly LiveCollection[] =>
    catalog.collections.filter((one) => one.dataset === dataset);

  async function* read(window: SyncWindow, isLight: boolean): AsyncGenerator<ListedItem> {
    const api = await asking(() => client.readApi(signal));
    for (const collection of collectionsOf(window)) {
      const planned = toItemSearch(toQuery(window, collection, plan), collection, api);
      if (planned === null) continue;
      const limit = isLight ? api.maxItems : Math.min(WHOLE_ITEMS, api.maxItems);
      const fields = isLight ? { fields: toLightFields(collection) } : {};
      yield* ask(window, collection, { ...planned.body, limit, ...fields });
    }
  }

  async function* ask(
    window: SyncWindow,
    collection: LiveCollection,
    body: object,
  ): AsyncGenerator<ListedItem> {
    const found = client.search({ ...body }, currentSignal, SOURCE_LIMITS.maxPages);
    for (;;) {
      const { done, value } = await asking(() => found.next());
      if (done === true) return;
      if (value.kind === 'fault') throw toUnavailable(value.reason);
      if (value.kind === 'total') onTotal(value.total);
      else {
        const { location } = value;
        const item = parse(value.value);
        if (item === null || !isWantedItem(item, { window, collection, plan })) continue;
        const url = location.kind === 'url' ? location.url : catalog.url;
        yield { collection: collection.collection, item, value: value.value, url, updated: updatedOf(item) };
      }
    }
  }

  function parse(value: unknown): StacItem | null {
    try {
      return parseItem(withAssets(value));
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal') throw error;
      onBroken(error.code, error.message);
      return null;
    }
  }

  /** Failures of the catalog are one error, which passes; those of the store are others. */
  async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal' || signal.aborted) throw error;
      throw toUnavailable(error.message, error);
    }
  }

  const toUnavailable = (why: string, cause?: unknown) =>
    unavailable('catalog-unavailable', `The catalog ${catalog.title} did not answer completely. ${why}`, {
      cause,
      details: { catalog: catalog.name },
    });

  return {
    readWhole: (window) => read(window, false),
    async readLight(window) {
      const api = await asking(() => client.readApi(signal));
      return api.fields ? read(window, true) : null;
    },
    async *readByIds(window, items) {
      const { maxItems } = await asking(() => client.readApi(signal));
      const size = Math.min(WHOLE_ITEMS, maxItems);
      for (const collection of collectionsOf(window)) {
        const ids = items.flatMap((one) => (one.collection === collection.collection ? [one.id] : []));
        for (let start = 0; start < ids.length; start += size) {
          const some = ids.slice(start, start + size);
          yield* ask(window, collection, { collections: [collection.collection], ids: some, limit: size });
        }
      }
    },
    async explainAbsence(window, { collection: name, id }) {
      const collection = collectionsOf(window).find((one) => one.collection === name);
      if (collection === undefined) return 'unwanted';
      const value = await asking(() => client.readItem(name, id, signal));
      if (value === null) return 'removed';
      const item = parse(value);
      return item === null || isWantedItem(item, { window, collection, plan }) ? null : 'unwanted';
    },
  };
}

/** What a window asks of a collection. Newest first, as lists are: of recordings of one day, the newest is number 0. */
const toQuery = (window: SyncWindow, collection: LiveCollection, { area, maxCloudPercent }: SyncPlan) => ({
  filters: [
    { field: 'date', kind: 'range' as const, from: window.from, to: window.to },
    ...(maxCloudPercent === null || !statesClouds(collection)
      ? []
      : [{ field: 'cloudCoverage', kind: 'range' as const, to: maxCloudPercent }]),
  ],
  shape: { geometry: area, relation: 'intersects' as const },
  sort: { field: 'date', descending: true },
});

const CLOUDS = 'eo:cloud_cover';

const statesClouds = ({ properties }: LiveCollection): boolean => properties.cloudCoverage?.name === CLOUDS;

interface Wanted {
  readonly window: SyncWindow;
  readonly collection: LiveCollection;
  readonly plan: { readonly area: AreaGeometry; readonly maxCloudPercent: number | null };
}

/** Whether an item is one of the window, whatever its catalog has filtered. */
function isWantedItem(item: StacItem, { window, collection, plan }: Wanted): boolean {
  const isOfDataset = Object.entries(collection.where).every(([property, values]) =>
    [item.properties[property]].flat().some((value) => values.includes(value as string | number)),
  );
  const { datetime, start_datetime } = item.properties;
  const beginning = { ...item, properties: { datetime: datetime ?? start_datetime } };
  const anywhere = { collections: [], bbox: null, maxCloudPercent: null };
  return (
    isOfDataset &&
    isWanted(beginning, { ...anywhere, date: toOwnDays(window) }) &&
    isWanted(item, {
      collections: [collection.collection],
      date: { from: window.from, to: window.to },
      bbox: null,
      area: plan.area,
      maxCloudPercent: statesClouds(collection) ? plan.maxCloudPercent : null,
    })
  );
}

/** What says whether an item is wanted and whether it has changed. */
const toLightFields = ({ where }: LiveCollection): object => ({
  include: [
    ...['id', 'type', 'collection', 'geometry'],
    ...['datetime', 'start_datetime', 'end_datetime', 'updated', CLOUDS, ...Object.keys(where)].map(
      (name) => `properties.${name}`,
    ),
  ],
  exclude: ['links', 'assets', 'bbox'],
});

const updatedOf = ({ properties: { updated } }: StacItem): string | null =>
  typeof updated === 'string' && updated !== '' ? updated : null;
