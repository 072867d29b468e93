import type { Store } from '../adapters/store/index.ts';
import type { SurveyJobs } from '../blocks/index.ts';
import { isUnavailable } from '../errors.ts';
import type { ResultCache } from '../files/index.ts';
import type { Log } from '../http/index.ts';
import type { JobRunner } from '../pool/index.ts';
import { DEFAULT_LIMITS } from '../render/index.ts';
import type { Config } from '../settings/index.ts';
import { makeReadFileStamp } from '../sources/index.ts';
import type { TerrainJobs } from '../terrain/index.ts';
import {
  makeDemLookup,
  makeDemWatch,
  makeFindModels,
  makeGroundHeights,
  makeReadAreaStatistics,
  makeReadElevation,
  makeReadGrid,
  makeReadProfile,
  makeTerrainExplainer,
  makeTerrainTiles,
} from '../terrain/index.ts';

interface TerrainDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'dems'>;
  readonly pool: JobRunner<TerrainJobs & SurveyJobs>;
  readonly results: ResultCache;
  readonly log: Log;
}

const HEADER_BYTES = 2 ** 20;

/** Builds all that answers about terrain. */
export function startTerrain({ config, store, pool, results, log }: TerrainDeps) {
  const nowMs = (): number => performance.now();
  const lookup = makeDemLookup({ store: store.dems, nowMs });
  const watch = makeDemWatch({
    store: store.dems,
    readStamp: makeReadFileStamp(config.dataDir),
    nowMs,
    async readAgain(file) {
      const ticket = { owner: 'files', lane: 'tile', timeoutMs: config.renderTimeoutMs } as const;
      const singleFlightKey = `dem ${file.id}`;
      return (await pool.run('renew-dem', file, { ...ticket, bytes: HEADER_BYTES, singleFlightKey })).output;
    },
    onRenewed: ({ dem }) =>
      log.info({ dem }, 'a file of an elevation model was replaced; its record follows'),
    onFailure: ({ dem }, error) => {
      if (!isUnavailable(error))
        log.warn({ dem, err: error }, 'a file of an elevation model was replaced; ingest the model again');
    },
  });
  const findModels = makeFindModels({ lookup, watch });
  const common = { findModels, pool, maxBytes: DEFAULT_LIMITS.bytes };
  const readGrid = makeReadGrid(common);
  const readElevation = makeReadElevation({ findModels, pool, readGrid });
  return {
    groundHeights: makeGroundHeights({
      readElevation,
      readGrid,
      timeoutMs: config.renderTimeoutMs,
      nowMs,
      onFailure: (error) => log.warn({ err: error }, 'weather is not corrected for height'),
    }),
    terrainTiles: makeTerrainTiles({ ...common, results }),
    readElevation,
    readProfile: makeReadProfile(readElevation),
    readAreaStatistics: makeReadAreaStatistics(common),
    listDems: lookup.list,
    terrainExplainer: makeTerrainExplainer(common),
  };
}
