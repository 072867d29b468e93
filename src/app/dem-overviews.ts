import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { DEFAULT_LIMITS } from '../render/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import type { DemStore, MadeOverviews, MosaicDeps, PlannedFile } from '../terrain/index.ts';
import { dropOverviews, makeOverviews, planOverviews, readDemFile } from '../terrain/index.ts';
import type { Config } from './config.ts';
import type { DemThreads } from './dem-threads.ts';

interface OverviewDeps {
  readonly config: Config;
  readonly dems: DemStore;
  readonly threads: DemThreads;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Where the overview mosaics of a model lie, inside the data directory. */
const folderOf = (dataDir: string, dem: string): string => join(dataDir, 'dem-overviews', dem);

/** Makes the overview mosaics of a model with all cores, if it needs any. */
export async function makeDemOverviews(dem: string, deps: OverviewDeps): Promise<MadeOverviews> {
  const { config, dems } = deps;
  const plans = planOverviews(await readFiles(dems, dem));
  const stores = { store: dems, directory: folderOf(config.dataDir, dem) };
  if (plans.length > 0) return makePlanned(dem, { ...deps, ...stores, plans });
  await dropOverviews(dem, stores);
  return { overviews: [], damaged: [] };
}

async function readFiles(dems: DemStore, dem: string): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [];
  for await (const file of dems.listFiles({ dem, overview: 0 })) {
    const { format, bounds, resolutionM, width, height, levels } = file;
    files.push({ format, bounds, resolutionM, width, height, levels });
  }
  return files;
}

function makePlanned(
  dem: string,
  {
    config,
    threads,
    signal,
    onProgress,
    ...deps
  }: OverviewDeps & Pick<MosaicDeps, 'plans' | 'store' | 'directory'>,
): Promise<MadeOverviews> {
  const files = { dataDir: config.dataDir, ...config.sources };
  const header = { open: makeOpenSource(files), jp2Decoder: makeJp2Decoder(), signal };
  return makeOverviews(dem, {
    ...deps,
    pool: threads.runner,
    atOnce: config.threads,
    checkFile: (file) => threads.checkFile(file, signal),
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
}

/** Deletes the overview mosaics of a model that was removed. */
export const removeDemOverviews = (dem: string, { dataDir }: Pick<Config, 'dataDir'>): Promise<void> =>
  rm(folderOf(dataDir, dem), { recursive: true, force: true });
