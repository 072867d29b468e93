import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import { makeResultCache } from '../../files/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import type { NetworkSources } from '../../sources/index.ts';
import type { DemFile } from '../../terrain/cells/index.ts';
import { withCells } from '../../terrain/cells/index.ts';
import type { TerrainJobs } from '../../terrain/index.ts';
import {
  makeDemLookup,
  makeDemWatch,
  makeFindModels,
  makeGroundHeights,
  makeReadAreaStatistics,
  makeReadElevation,
  makeReadGrid,
  makeReadProfile,
  makeTerrainJobs,
  makeTerrainTiles,
} from '../../terrain/index.ts';
import { makeFakeDemStore } from '../../terrain/testing/fake-dem-store.ts';
import { makeTempFolder } from '../../testing/temp-folder.ts';
import type { LiveCatalog, LiveTerrain } from '../live-catalog.ts';
import { toLiveModel } from '../live-terrain.ts';
import { earthSearch } from '../presets/earth-search.ts';
import { makeLiveHandlers } from '../serve-live.ts';
import type { FakeStac } from './fake-stac.ts';

/** All that reads heights, on this thread, with a fake catalog behind an empty store of models. */
export function makeTerrainOfFake(fake: FakeStac, changes: Partial<LiveTerrain> = {}) {
  const dataDir = makeTempFolder('swath-live-dem-');
  const network: NetworkSources = {
    ...fake.network,
    limits: { ...fake.network.limits, breakerRestMs: 1 },
    s3: [{ buckets: ['copernicus-dem-30m'], region: 'eu-central-1', endpoint: fake.origin, pathStyle: true }],
  };
  const catalog: LiveCatalog = {
    ...earthSearch,
    url: fake.url,
    sources: network,
    limits: { ...earthSearch.limits, deadlineMs: 600_000 },
    terrain: { ...earthSearch.terrain!, ...changes },
  };
  const files = { dataDir, folders: [], network };
  const handlers = makeLiveHandlers({ catalogs: [catalog], files });
  const clock = { nowMs: 0 };
  const nowMs = (): number => clock.nowMs;
  const ingested = makeFakeDemStore();
  const store = withCells(ingested, {
    model: toLiveModel([catalog])!,
    readCell: async (cell, signal) => (await handlers.cell(cell, signal)) as DemFile | null,
    nowMs,
  });
  const jobs = makeTerrainJobs(makeThreadTools({ files, blocks: makeBlockCache(32 * 2 ** 20).handle }));
  const pool = makeRunnerHere<TerrainJobs>(jobs);
  const lookup = makeDemLookup({ store, nowMs });
  const watch = makeDemWatch({
    store,
    readStamp: async () => null,
    readAgain: async (file) => (await pool.run('renew-dem', file, { ...aTicket, bytes: 1 })).output,
    nowMs,
    onRenewed: () => {},
    onFailure: () => {},
  });
  const findModels = makeFindModels({ lookup, watch });
  const common = { findModels, pool, maxBytes: 256 * 2 ** 20 };
  const readGrid = makeReadGrid(common);
  const readElevation = makeReadElevation({ findModels, pool, readGrid });
  return {
    clock,
    ingested,
    store,
    tiles: makeTerrainTiles({ ...common, results: makeResultCache(null) }),
    readHeight: (lon: number, lat: number) => readElevation({ lon, lat }, aTicket),
    readProfile: makeReadProfile(readElevation),
    readAreaStatistics: makeReadAreaStatistics(common),
    groundHeights: makeGroundHeights({
      readElevation,
      readGrid,
      timeoutMs: aTicket.timeoutMs,
      nowMs,
      onFailure: (error) => {
        throw error;
      },
    }),
    listDems: lookup.list,
  };
}
