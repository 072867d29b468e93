/**
 * The catalog with live catalogs behind it. A search asks the store and the catalogs at the same time; a scene that the
 * store does not have is looked up in the table of known scenes, and then at its source. Everything else of the service
 * sees one `SceneStore` and need not know.
 */
import { makeGate, makeTtlCache } from '../async/index.ts';
import type {
  CatalogNote,
  HitPage,
  PendingScene,
  Scene,
  SceneHit,
  SceneQuery,
  SceneStore,
} from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { mayPass } from '../net/index.ts';
import { parseViewId } from '../sensors/index.ts';
import { unavailable } from './errors.ts';
import type { KnownScenes } from './known-scenes.ts';
import type { LivePage, LiveSearch } from './live-search.ts';
import { mergeHits } from './merge-hits.ts';
import type { NamedScene } from './resolve-scene.ts';

/** What the catalog is joined with. */
export interface LiveDeps {
  /** Datasets that a live catalog has. */
  readonly datasets: ReadonlySet<string>;
  readonly search: LiveSearch;
  readonly known: KnownScenes;
  readonly nowMs: () => number;
}

/** How long a name that no catalog knows is not asked for again, and how many such names are remembered. */
const ABSENT_MS = 30_000;
const MOST_ABSENT = 10_000;
/** Scenes of one search whose files are read at the same time. */
const READ_AT_ONCE = 16;

/** Joins the store with live catalogs. */
export function withLiveCatalogs(
  scenes: SceneStore,
  deps: LiveDeps,
): SceneStore & Required<Pick<SceneStore, 'searchPending'>> {
  const { datasets, search, known, nowMs } = deps;
  const names = makeTtlCache<Scene | null>({
    nowMs,
    freshMs: 0,
    absentMs: ABSENT_MS,
    max: MOST_ABSENT,
    // Scenes are in the table. Here they would never be served, and ten thousand of them take hundreds of megabytes.
    sizeOf: () => Number.POSITIVE_INFINITY,
  });

  /** One name is looked up once at a time, and not again for a while if it leads nowhere. */
  const resolve = (named: NamedScene): Promise<Scene | null> =>
    names.find(`${named.dataset} ${named.name}`, () => known.find(named));

  /** A scene that the store does not have. */
  async function findLive(viewId: string): Promise<Scene | null> {
    const view = tryViewId(viewId);
    if (view === null || !datasets.has(view.sensor.dataset)) return null;
    return resolve({ dataset: view.sensor.dataset, name: view.sceneName, viewId });
  }

  /** Pages of all live datasets of a query, in one round trip. */
  async function askCatalogs(
    query: SceneQuery,
    { offset, limit, withFiles }: { offset: number; limit: number; withFiles: boolean },
  ): Promise<readonly LivePage[]> {
    const { shape, sort } = query;
    return Promise.all(
      query.datasets
        .filter(({ id }) => datasets.has(id))
        .map(({ id, filters }) =>
          search(
            { dataset: id, filters, ...(shape ? { shape } : {}), sort, offset, limit, withFiles },
            NEVER,
          ),
        ),
    );
  }

  async function searchHits(given: SceneQuery): Promise<HitPage> {
    const asked = given.datasets.filter(({ id }) => datasets.has(id));
    if (asked.length === 0) return scenes.searchHits(given);
    // Only the end of what is merged is shown: the records of the rest would be read for nothing.
    const { withFiles: _, ...query } = given;
    const { offset, limit, sort } = query;
    const end = offset + limit;
    if (offset > 0 && asked.length === 1 && query.datasets.length === 1) {
      // Nothing to merge: the page is the catalog's own.
      const { found } = await scenes.searchHits({ ...query, offset: 0, limit: 1 });
      if (found === 0) {
        const [page] = await askCatalogs(query, { offset, limit, withFiles: false });
        return { found: page!.found, hits: page!.hits, catalogs: [toNote(page!)] };
      }
    }
    const [stored, pages] = await Promise.all([
      scenes.searchHits({ ...query, offset: 0, limit: end }),
      askCatalogs(query, { offset: 0, limit: end, withFiles: false }),
    ]);
    const live = pages.map((page) => page.hits);
    const { hits, doubles } = await mergeHits(stored.hits, live, { sort, end });
    return {
      found: pages.reduce((sum, { found }) => sum + found, stored.found) - doubles,
      hits: hits.slice(offset, end),
      catalogs: pages.map(toNote),
    };
  }

  /** Whole records are for work that needs all of them: if a catalog does not answer completely, it must be tried again. */
  async function searchPending(query: SceneQuery) {
    const { offset, limit, sort } = query;
    const end = offset + limit;
    if (!query.datasets.some(({ id }) => datasets.has(id))) return scenes.search(query);
    const [stored, pages] = await Promise.all([
      scenes.search({ ...query, offset: 0, limit: end }),
      askCatalogs(query, { offset: 0, limit: end, withFiles: true }),
    ]);
    for (const page of pages) if (page.problem !== null) throw toUnavailable(page, page.problem);
    const live = pages.map((page) => page.hits);
    const { hits, doubles } = await mergeHits<SceneHit | Scene>(stored.scenes, live, { sort, end });
    const gate = makeGate(READ_AT_ONCE);
    return {
      found: pages.reduce((sum, { found }) => sum + found, stored.found) - doubles,
      scenes: hits
        .slice(offset, end)
        .map((hit): Scene | PendingScene =>
          'assets' in hit ? hit : { read: () => gate.run(() => readRecord(hit)) },
        ),
    };
  }

  return {
    ...scenes,
    findByViewId: async (viewId) => (await scenes.findByViewId(viewId)) ?? (await findLive(viewId)),
    ...(scenes.findHit === undefined
      ? {}
      : { findHit: async (viewId) => (await scenes.findHit?.(viewId)) ?? (await findLive(viewId)) }),
    searchHits,
    async findByName(dataset, name) {
      const stored = await scenes.findByName(dataset, name);
      if (stored !== null || !datasets.has(dataset)) return stored;
      return resolve({ dataset, name, viewId: null });
    },
    searchPending,
    async search(query) {
      const { found, scenes: pending } = await searchPending(query);
      return { found, scenes: await Promise.all(pending.map((one) => ('read' in one ? one.read() : one))) };
    },
    async replace(scene, version) {
      return (await scenes.replace(scene, version)) ?? (await known.replace(scene, version));
    },
  };

  /**
   * The record of a hit. A scene whose files cannot be read has none of them: whoever wants its bands reports it by name,
   * where leaving it out would look as if it had never been recorded.
   */
  async function readRecord(hit: SceneHit): Promise<Scene> {
    const { viewId, dataset } = hit;
    try {
      const scene = await resolve({ dataset, name: viewId.slice(viewId.indexOf('/') + 1), viewId });
      return scene ?? toScene({ ...hit, assets: {} });
    } catch (error) {
      if (!isSwathError(error) || !LASTING.has(error.tag) || mayPass(error)) throw error;
      return toScene({ ...hit, assets: {} });
    }
  }
}

/** Failures that another attempt would meet again. */
const LASTING: ReadonlySet<string> = new Set(['source-broken', 'not-allowed', 'unsupported', 'too-large']);

const NEVER = new AbortController().signal;

function tryViewId(viewId: string): ReturnType<typeof parseViewId> | null {
  try {
    return parseViewId(viewId);
  } catch (error) {
    if (isSwathError(error) && error.tag === 'not-found') return null;
    throw error;
  }
}

const toNote = ({ hits: _, ...note }: LivePage): CatalogNote => note;

const toUnavailable = ({ catalog }: LivePage, { code, message }: NonNullable<CatalogNote['problem']>) =>
  unavailable('catalog-unavailable', `The catalog ${catalog} did not answer completely. ${message}`, {
    details: { catalog, reason: code, retryAfterS: 10 },
  });
