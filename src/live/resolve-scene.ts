/** Finds the item of a scene that somebody names, and reads the headers of its files: an ingest of one scene on demand. */
import type { SceneHit } from '../catalog/index.ts';
import type { FileDoors, FindScene, LiveItemDeps, StacItem } from '../ingest/index.ts';
import { makeReadLiveItem } from '../ingest/index.ts';
import { isObject } from '../json.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { askCatalog } from './ask-catalog.ts';
import type { CatalogClient } from './catalog-client.ts';
import type { FindClient } from './choose-client.ts';
import { sourceBroken } from './errors.ts';
import { tryHit, tryItem } from './hit-stream.ts';
import type { ItemMemory, NotedItem } from './item-memory.ts';
import { toBody, toOwnConditions } from './item-search.ts';
import type { NewKnownScene } from './known-scene-store.ts';
import type { LiveCatalog, LiveCollection } from './live-catalog.ts';
import { readName, toItemPlace } from './locate.ts';

/** A scene as somebody names it. */
export interface NamedScene {
  readonly dataset: string;
  /** The name in its view id, or its scene id or product id. */
  readonly name: string;
  /** Null where only a name is known. */
  readonly viewId: string | null;
}

/** What is known of a scene that was resolved before: if its item still has this state, its files need not be read. */
export interface EarlierState {
  readonly itemState: string | null;
  readonly fingerprint: string;
}

/** A resolved scene; `unchanged` if the item is as it was; null if no catalog has it. */
export type Resolved = Omit<NewKnownScene, 'checkedAt'> | 'unchanged' | null;

interface ResolveDeps {
  /** Finds the catalog of a dataset. */
  readonly findClient: FindClient;
  readonly memory: ItemMemory;
  /** What items of a catalog may refer to. */
  readonly rulesOf: (catalog: LiveCatalog) => LiveItemDeps['rules'];
  readonly doors: Omit<FileDoors, 'signal'>;
  readonly startDeadline?: (ms: number) => AbortSignal;
}

/** Resolves a scene; throws `catalog-unavailable` if the catalog does not answer, and what reading its files throws. */
export type ResolveScene = (
  named: NamedScene,
  earlier: EarlierState | null,
  signal: AbortSignal,
) => Promise<Resolved>;

/** Items of three days in one tile: two satellites, several processings. */
const MOST_CANDIDATES = 100;

/** An item that is the one that is looked for. */
interface FoundItem {
  readonly item: StacItem;
  readonly noted: NotedItem;
  readonly viewId: string;
}

/** An item that may be the one that is looked for. */
interface Candidate extends FoundItem {
  readonly hit: SceneHit;
}

/** Builds the resolution. */
export function makeResolveScene(deps: ResolveDeps): ResolveScene {
  const { findClient, memory, rulesOf, doors, startDeadline } = deps;
  const readLiveItem = makeReadLiveItem();

  return async (named, earlier, signal) => {
    const client = await findClient(named.dataset, signal);
    if (client === null) return null;
    const found = await askCatalog(
      client,
      (late) => find(client, named, { isKnown: earlier !== null, signal: late }),
      {
        signal,
        startDeadline,
      },
    );
    if (found === null) return null;
    const { item, noted, viewId } = found;
    const { catalog, collection, id } = noted;
    const itemUrl = client.toItemUrl(collection, id);
    const updated = item.properties.updated;
    const stated = typeof updated === 'string' ? updated : null;
    if (earlier !== null && stated !== null && earlier.itemState === stated) return 'unchanged';
    const scene = await readLiveItem(item, {
      location: { kind: 'url', url: itemUrl },
      rules: rulesOf(client.catalog),
      findScene: numberedAs(viewId),
      doors: { ...doors, signal },
    });
    const fingerprint = scene.origin?.fingerprint ?? '';
    if (earlier !== null && earlier.fingerprint === fingerprint) return 'unchanged';
    return { scene, catalog, itemUrl, itemState: stated };
  };

  async function find(
    client: CatalogClient,
    named: NamedScene,
    { isKnown, signal }: { readonly isKnown: boolean; readonly signal: AbortSignal },
  ): Promise<FoundItem | null> {
    const noted = named.viewId === null ? undefined : memory.find(named.viewId);
    if (noted !== undefined) {
      // Whether a known item has changed is asked at its source: a search may have read it hours ago.
      // An item that a search has shown was its scene then.
      if (!isKnown && noted.item !== undefined) return { item: noted.item, noted, viewId: named.viewId! };
      const value = await client.readItem(noted.collection, noted.id, signal);
      const candidate = value === null ? null : await toCandidate(value, noted, named.viewId);
      if (candidate !== null) return candidate;
      memory.forget(named.viewId!);
    }
    const sensor = sensorByDataset(named.dataset);
    const name = sensor === null ? null : readName(sensor, named.name);
    if (name === null) return null;
    const [api, listed] = await Promise.all([client.readApi(signal), client.readCollections(signal)]);
    const collections = listed.filter(({ dataset }) => dataset === named.dataset);
    const searches = collections.map(async (collection) => {
      const { days, conditions, point } = toItemPlace(name, collection);
      const body = toBody({
        collection: collection.collection,
        days,
        conditions: [...toOwnConditions(collection), ...conditions],
        api,
        rest: {
          limit: Math.min(MOST_CANDIDATES, api.maxItems),
          ...(point === null ? {} : { intersects: point }),
        },
      });
      return readCandidates(client, { collection, body, signal });
    });
    const candidates = (await Promise.all(searches)).flat();
    return candidates.filter(({ hit }) => isNamed(hit, named)).toSorted(newestFirst)[0] ?? null;
  }

  async function readCandidates(
    client: CatalogClient,
    {
      collection: { collection },
      body,
      signal,
    }: { readonly collection: LiveCollection; readonly body: object; readonly signal: AbortSignal },
  ): Promise<readonly Candidate[]> {
    const values: unknown[] = [];
    for await (const found of client.search({ ...body }, () => signal)) {
      // A scene that may be on a page that was not read is not one that does not exist.
      if (found.kind === 'fault') throw sourceBroken('catalog-refused', found.reason);
      if (found.kind === 'item') values.push(found.value);
      if (values.length >= MOST_CANDIDATES) break;
    }
    const candidates: Candidate[] = [];
    // Recordings of a day are numbered from the newest on, as lists have them.
    for (const value of values.toSorted((a, b) => compareTexts(timeOf(b), timeOf(a)))) {
      const item = tryItem(value);
      const findScene = async (viewId: string) =>
        candidates.find(({ hit }) => hit.viewId === viewId)?.hit ?? null;
      const found = item === null ? null : await tryHit(item, findScene);
      if (item === null || found === null) continue;
      const { hit, processed } = found;
      const noted = { catalog: client.catalog.name, collection, id: item.id, processed };
      memory.note(hit.viewId, noted);
      candidates.push({ item, noted, viewId: hit.viewId, hit });
    }
    return candidates;
  }
}

async function toCandidate(
  value: unknown,
  noted: NotedItem,
  viewId: string | null,
): Promise<Candidate | null> {
  const item = tryItem(value);
  const found = item === null || viewId === null ? null : await tryHit(item, numberedAs(viewId));
  return item === null || found === null || found.hit.viewId !== viewId
    ? null
    : { item, noted, viewId, hit: found.hit };
}

/** The number of a recording within its day is decided: those before it are taken. */
const numberedAs =
  (viewId: string): FindScene =>
  async (other) =>
    other === viewId ? null : TAKEN;

/** A recording that no other one equals. */
const TAKEN = { acquiredAt: '1900-01-01T00:00:00.000Z', sceneId: '', fields: {} };

const isNamed = ({ viewId, sceneId, productId }: SceneHit, named: NamedScene): boolean =>
  viewId === named.viewId || sceneId === named.name || productId === named.name;

const newestFirst = (a: Candidate, b: Candidate): number =>
  compareTexts(b.noted.processed, a.noted.processed);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const timeOf = (value: unknown): string => {
  const properties = isObject(value) && isObject(value.properties) ? value.properties : {};
  return typeof properties.datetime === 'string' ? properties.datetime : '';
};
