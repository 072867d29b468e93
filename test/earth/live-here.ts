/** Live catalogs, their store and all that draws, without threads and without HTTP: the rooms as the service joins them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import type { SceneStore } from '../../src/catalog/index.ts';
import { joinFolder, makeFolderHandle, makeResultCache } from '../../src/files/index.ts';
import type { LiveCalls } from '../../src/live/index.ts';
import { makeKnownScenes, makeLiveHandlers, withLiveCatalogs } from '../../src/live/index.ts';
import type { CallHandlers } from '../../src/pool/index.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { makeRendering } from '../../src/render/index.ts';
import { parseConfig } from '../../src/settings/index.ts';
import { makeReadFileStamp } from '../../src/sources/index.ts';
import { makePoolHere } from '../support/pool-here.ts';

/** The catalog of a service, which asks live catalogs on this thread. */
export interface LiveHere extends AsyncDisposable {
  readonly dataDir: string;
  readonly store: Store;
  /** The store with live catalogs behind it. */
  readonly scenes: SceneStore;
  readonly rendering: ReturnType<typeof makeRendering>;
}

/** Opens it over some catalogs: entries of a file for SWATH_CATALOGS. */
export function openLiveHere(
  catalogs: readonly object[],
  env: Readonly<Record<string, string>> = {},
): LiveHere {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-live-here-'));
  const file = join(dataDir, 'catalogs.json');
  writeFileSync(file, JSON.stringify(catalogs), { mode: 0o600 });
  const config = parseConfig({ SWATH_DATA: dataDir, SWATH_CATALOGS: file, ...env });
  const files = {
    dataDir,
    headers: makeFolderHandle(join(dataDir, 'remote-headers'), HEADERS_BYTES),
    ...(config.sources.network === undefined ? {} : { network: config.sources.network }),
  };
  const handlers: CallHandlers<LiveCalls> = makeLiveHandlers({
    catalogs: config.liveCatalogs,
    files,
    answers: makeFolderHandle(join(dataDir, 'catalog-answers'), ANSWERS_BYTES),
  });
  const store = openSqliteStore(dataDir);
  const failed = (error: unknown): void => {
    throw error;
  };
  const scenes = withLiveCatalogs(store.scenes, {
    datasets: new Set(config.liveCatalogs.flatMap((one) => one.collections.map(({ dataset }) => dataset))),
    search: async (query, signal) => toPlain(await handlers.search(query, signal)),
    known: makeKnownScenes({
      store: store.knownScenes,
      resolve: async (named, earlier, signal) => toPlain(await handlers.resolve({ named, earlier }, signal)),
      max: config.knownScenes,
      owner: 'here',
      holdMs: null,
      now: () => new Date(),
      sleep: (ms) => sleep(ms),
      onFailure: failed,
    }),
    nowMs: () => performance.now(),
  });
  const results = makeResultCache(joinFolder(makeFolderHandle(join(dataDir, 'tile-cache'), TILES_BYTES)));
  const rendering = makeRendering({
    scenes,
    contrasts: store.contrasts,
    intensities: store.intensities,
    results,
    pool: makePoolHere(files).pool,
    readStamp: makeReadFileStamp(dataDir),
    nowMs: () => performance.now(),
    filesTicket: aTicket,
    events: { onForgotten: failed, onRenewed: () => {}, onUnfit: failed, onFailure: failed },
  });
  return {
    dataDir,
    store,
    scenes,
    rendering,
    async [Symbol.asyncDispose]() {
      await results.settled();
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Small, so that a test reaches them. */
export const HEADERS_BYTES = 2 ** 24;
export const ANSWERS_BYTES = 2 ** 20;
const TILES_BYTES = 2 ** 24;

/** What a thread would receive. */
const toPlain = <Output>(output: Output): Exclude<Output, { readonly transfer: unknown }> =>
  structuredClone(output) as Exclude<Output, { readonly transfer: unknown }>;
