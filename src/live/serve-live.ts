/** What the thread of live catalogs does: it asks catalogs, reads their answers and the headers of files. */
import { makeGate } from '../async/index.ts';
import type { FolderHandle } from '../files/index.ts';
import { joinFolder } from '../files/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import type { LiveItemDeps } from '../ingest/index.ts';
import type { ServiceCounts } from '../net/index.ts';
import type { CallHandlers, JobType } from '../pool/index.ts';
import type { OpenSourceOptions } from '../sources/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import type { Cell, DemFile } from '../terrain/cells/index.ts';
import { DEM_FILES } from '../terrain/cells/index.ts';
import { makeCatalogClient } from './catalog-client.ts';
import { openCatalogDoor } from './catalog-door.ts';
import { listDatasets, makeFindClient } from './choose-client.ts';
import { internal } from './errors.ts';
import { makeItemMemory } from './item-memory.ts';
import { toItemRules } from './item-rules.ts';
import type { LiveCatalog } from './live-catalog.ts';
import type { LivePage, LiveQuery } from './live-search.ts';
import { makeLiveSearch } from './live-search.ts';
import type { ReadCell } from './live-terrain.ts';
import { findTerrain, makeReadCell } from './live-terrain.ts';
import { openUnwatched } from './open-unwatched.ts';
import type { EarlierState, NamedScene, Resolved } from './resolve-scene.ts';
import { makeResolveScene } from './resolve-scene.ts';

/** Calls that the thread answers. */
export type LiveCalls = {
  search: JobType<LiveQuery, LivePage>;
  resolve: JobType<{ readonly named: NamedScene; readonly earlier: EarlierState | null }, Resolved>;
  /** The tile of a cell of the elevation model; null where there is sea. */
  cell: JobType<Cell, DemFile | null>;
  /** The datasets that each catalog is asked for, by its name. */
  datasets: JobType<null, Readonly<Record<string, readonly string[]>>>;
  /** What requests to each catalog came to since the thread was started, by its name. */
  counts: JobType<null, Readonly<Record<string, ServiceCounts>>>;
};

/** Settings of the thread: plain data. */
export interface LiveSettings {
  readonly catalogs: readonly LiveCatalog[];
  /** How files of scenes are opened, with the caches that all threads share. */
  readonly files: OpenSourceOptions;
  /** The user agent of requests to catalogs. */
  readonly userAgent?: string;
  /** Where answers of catalogs are stored; left out: nowhere. */
  readonly answers?: FolderHandle;
}

/** Files whose headers are read at the same time: a scene of Sentinel-2 has up to thirteen that nothing is known of. */
const HEADERS_AT_ONCE = 64;

/** Builds what answers the calls. */
export function makeLiveHandlers(settings: LiveSettings): CallHandlers<LiveCalls> {
  const { catalogs, files, userAgent } = settings;
  const answers = settings.answers === undefined ? undefined : joinFolder(settings.answers);
  const doors = catalogs.map((catalog) => ({ catalog, ...openCatalogDoor(catalog, { userAgent, answers }) }));
  const clients = doors.map(({ catalog, fetch }) => makeCatalogClient(catalog, fetch));
  const findClient = makeFindClient(clients);
  const nowMs = (): number => performance.now();
  const memory = makeItemMemory(nowMs);
  const jp2Decoder = makeJp2Decoder();
  const rulesOf = (catalog: LiveCatalog): LiveItemDeps['rules'] => toItemRules(catalog, files.dataDir);
  const search = makeLiveSearch({ findClient, memory, nowMs });
  const resolve = makeResolveScene({
    findClient,
    memory,
    rulesOf,
    doors: { open: openUnwatched(makeOpenSource(files)), jp2Decoder, gate: makeGate(HEADERS_AT_ONCE) },
  });
  const readCell = makeReadFirstCell();

  /** Reads cells of the first catalog that has an elevation model. */
  function makeReadFirstCell(): ReadCell {
    const catalog = findTerrain(catalogs);
    const door = doors.find((one) => one.catalog === catalog);
    if (catalog === null || door === undefined) {
      return async () => {
        throw internal('no-terrain', 'No catalog has an elevation model.');
      };
    }
    return makeReadCell({
      client: makeCatalogClient(catalog, door.fetch),
      terrain: catalog.terrain,
      rules: rulesOf(catalog),
      doors: { open: makeOpenSource({ ...files, subject: DEM_FILES }), jp2Decoder },
    });
  }

  return {
    search: (query, signal) => search(query, signal),
    resolve: ({ named, earlier }, signal) => resolve(named, earlier, signal),
    cell: (cell, signal) => readCell(cell, signal),
    datasets: (_, signal) => listDatasets(clients, signal),
    counts: async () => Object.fromEntries(doors.map(({ catalog, counts }) => [catalog.name, counts])),
  };
}
