import { openSqliteStore, prepareDirectory } from '../../../src/adapters/sqlite/index.ts';
import { makeBlockCache, makeThreadTools } from '../../../src/blocks/index.ts';
import { makeResultCache } from '../../../src/files/index.ts';
import { makeIsAllowedHref } from '../../../src/ingest/index.ts';
import { makeRunnerHere } from '../../../src/pool/testing/run-here.ts';
import { makeListBucket, makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import type { DemFile, TerrainJobs } from '../../../src/terrain/index.ts';
import {
  ingestDem,
  makeDemLookup,
  makeFindModels,
  makeReadGrid,
  makeTerrainJobs,
  makeTerrainTiles,
} from '../../../src/terrain/index.ts';
import type { DemSource } from './make-sources.ts';

const MAX_BYTES = 2 ** 30;
/** A thread of the service holds its files open until it ends; those of this one would be closed by the garbage collector. */
const held: unknown[] = [];

/** A model in the catalog of its data directory, and the pipeline on this thread. */
export async function openDem({ name, dataDir, from, folder, gaps }: DemSource) {
  const files = { dataDir, folders: folder === undefined ? [] : [folder] };
  prepareDirectory(dataDir);
  const store = openSqliteStore(dataDir);
  const tools = makeThreadTools({ files, blocks: makeBlockCache(64 * 2 ** 20).handle });
  const report = await ingestDem({
    from,
    store: store.dems,
    name: name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40),
    gaps: gaps ?? null,
    open: makeOpenSource(files),
    listBucket: makeListBucket(files),
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path) => toFileHref(path, files),
  });
  const broken = report.files.find(({ outcome }) => outcome === 'broken');
  if (report.dem === null || broken !== undefined) {
    await store.close();
    throw new Error(`${name} was not ingested: ${broken?.reason}`);
  }
  const records: DemFile[] = [];
  for await (const file of store.dems.listFiles({ dem: report.dem, overview: 0 })) records.push(file);
  const pool = makeRunnerHere<TerrainJobs>(makeTerrainJobs(tools));
  const findModels = makeFindModels({
    lookup: makeDemLookup({ store: store.dems, nowMs: () => performance.now() }),
    watch: { check: async () => false, renew: async () => {} },
  });
  const common = { findModels, pool, maxBytes: MAX_BYTES };
  held.push(tools);
  return {
    records,
    kernels: tools.kernels,
    readGrid: makeReadGrid(common),
    tiles: makeTerrainTiles({ ...common, results: makeResultCache(null) }),
    close: () => store.close(),
  };
}

/** An opened model. */
export type OpenedDem = Awaited<ReturnType<typeof openDem>>;
