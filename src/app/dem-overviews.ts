import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBlockCache } from '../blocks/index.ts';
import { makeJp2Decoder } from '../formats/index.ts';
import { makePool } from '../pool/index.ts';
import { DEFAULT_LIMITS } from '../render/index.ts';
import { makeOpenSource, toFileHref } from '../storage/index.ts';
import type { DemOverview, DemStore, MosaicDeps, PlannedFile } from '../terrain/index.ts';
import { dropOverviews, makeOverviews, planOverviews, readDemFile } from '../terrain/index.ts';
import type { Config } from './config.ts';
import type { PixelJobs } from './pixel-jobs.ts';
import { toThreadFiles } from './start-rendering.ts';

interface OverviewDeps {
  readonly config: Config;
  readonly dems: DemStore;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Blocks are read once, strip after strip: the cache need hold a few rows of them. */
const CACHE_BYTES = 256 * 2 ** 20;
/** What a thread may rightly hold between jobs. */
const MAX_WORKER_BYTES = 1024 * 2 ** 20;

/** Where the overview mosaics of a model lie, inside the data directory. */
const folderOf = (dataDir: string, dem: string): string => join(dataDir, 'dem-overviews', dem);

/** Makes the overview mosaics of a model with all cores, if it needs any. */
export async function makeDemOverviews(dem: string, deps: OverviewDeps): Promise<readonly DemOverview[]> {
  const { config, dems } = deps;
  const plans = planOverviews(await readFiles(dems, dem));
  const stores = { store: dems, directory: folderOf(config.dataDir, dem) };
  if (plans.length > 0) return makePlanned(dem, { ...deps, ...stores, plans });
  await dropOverviews(dem, stores);
  return [];
}

async function readFiles(dems: DemStore, dem: string): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [];
  for await (const file of dems.listFiles({ dem, overview: 0 })) {
    const { format, bounds, resolutionM, width, height, levels } = file;
    files.push({ format, bounds, resolutionM, width, height, levels });
  }
  return files;
}

async function makePlanned(
  dem: string,
  { config, signal, onProgress, ...deps }: OverviewDeps & Pick<MosaicDeps, 'plans' | 'store' | 'directory'>,
): Promise<readonly DemOverview[]> {
  const blocks = makeBlockCache(CACHE_BYTES);
  const pool = makePool<PixelJobs>({
    script: new URL('./pixel-worker.ts', import.meta.url),
    settings: { files: toThreadFiles(config), blocks: blocks.handle },
    onThreadExit: blocks.release,
    threads: config.threads,
    taskThreads: config.threads,
    budgetBytes: 2 * config.threads * DEFAULT_LIMITS.bytes,
    maxWaiting: { tile: 1, task: 4 * config.threads },
    ownerShare: 1,
    maxWorkerBytes: MAX_WORKER_BYTES,
  });
  const files = { dataDir: config.dataDir, ...config.sources };
  const header = { open: makeOpenSource(files), jp2Decoder: makeJp2Decoder(), signal };
  try {
    return await makeOverviews(dem, {
      ...deps,
      pool,
      atOnce: config.threads,
      readFile: (path, { overview }) =>
        readDemFile(header, {
          dem,
          overview,
          href: toFileHref(path, files),
          bandIndex: 0,
          unit: null,
          nodata: null,
        }),
      maxBytes: DEFAULT_LIMITS.bytes,
      signal,
      onProgress: (done, total) => onProgress(done / total),
    });
  } finally {
    await pool.close({ drainMs: 0 });
  }
}

/** Deletes the overview mosaics of a model that was removed. */
export const removeDemOverviews = (dem: string, { dataDir }: Pick<Config, 'dataDir'>): Promise<void> =>
  rm(folderOf(dataDir, dem), { recursive: true, force: true });
