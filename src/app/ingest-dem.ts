import { dirname, resolve } from 'node:path';
import { makeGate } from '../async/index.ts';
import { makeBlockCache } from '../blocks/index.ts';
import type { IngestDemCommand, Terminal } from '../cli/index.ts';
import { makeNoteBug, runIngestDem } from '../cli/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { openOwnFiles } from '../objects/index.ts';
import type { JobRunner, Pool } from '../pool/index.ts';
import { makePool } from '../pool/index.ts';
import { DEFAULT_LIMITS } from '../render/index.ts';
import type { Config } from '../settings/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import type { DemFile, DemStore, MadeOverviews, MosaicDeps, PlannedFile } from '../terrain/index.ts';
import { dropOverviews, ingestDem, makeOverviews, planOverviews, readDemFile } from '../terrain/index.ts';
import { checkFolder, makeDemDoors, toThreadFiles } from './files.ts';
import { openStore } from './open-store.ts';
import type { PixelJobs } from './pixel-worker.ts';
import { withStopSignal } from './stop-signals.ts';

/** The threads of an ingest of elevation models, which start with the first job. */
interface DemThreads extends AsyncDisposable {
  readonly runner: JobRunner<PixelJobs>;
  /** Reads every block of a file; rejects with what is wrong. */
  checkFile(file: DemFile, signal: AbortSignal): Promise<void>;
}

/** Blocks are read once, strip after strip: the cache has to hold a few rows of them. */
const CACHE_BYTES = 256 * 2 ** 20;
/** Max memory that a thread may hold between jobs. */
const MAX_WORKER_BYTES = 1024 * 2 ** 20;
/** A few blocks of the largest size that is common. */
const CHECK_BYTES = 64 * 2 ** 20;
/** The largest national grids have tens of gigabytes in one file. */
const CHECK_TIMEOUT_MS = 6 * 3_600_000;

/** Prepares threads on all cores. */
function makeDemThreads(config: Config): DemThreads {
  const runner = makeDemPool(config);
  const gate = makeGate(config.threads);
  return {
    runner,
    checkFile: (file, signal) =>
      gate.run(async () => {
        const ticket = { owner: 'check', lane: 'task', timeoutMs: CHECK_TIMEOUT_MS, signal } as const;
        await runner.run('check-dem', file, { ...ticket, bytes: CHECK_BYTES });
      }),
    async [Symbol.asyncDispose]() {
      await runner.close({ drainMs: 0 });
    },
  };
}

function makeDemPool(config: Config): Pool<PixelJobs> {
  const blocks = makeBlockCache(CACHE_BYTES);
  return makePool<PixelJobs>({
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
}

interface OverviewDeps {
  readonly config: Config;
  readonly dems: DemStore;
  readonly threads: DemThreads;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Folder of a model's overview mosaics among the files that Swath makes. */
const folderOf = (dem: string): string => `dem-overviews/${dem}/`;

/** Makes the overview mosaics of a model with all cores, if it needs any. */
async function makeDemOverviews(dem: string, deps: OverviewDeps): Promise<MadeOverviews> {
  const { config, dems } = deps;
  const plans = planOverviews(await readFiles(dems, dem));
  const stores = { store: dems, files: openOwnFiles(config), folder: folderOf(dem) };
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
  }: OverviewDeps & Pick<MosaicDeps, 'plans' | 'store' | 'files' | 'folder'>,
): Promise<MadeOverviews> {
  const open = makeOpenSource({ dataDir: config.dataDir, ...config.sources });
  const header = { open, jp2Decoder: makeJp2Decoder(), signal };
  return makeOverviews(dem, {
    ...deps,
    pool: threads.runner,
    atOnce: config.threads,
    checkFile: (file) => threads.checkFile(file, signal),
    readFile: (href, { overview }) =>
      readDemFile(header, {
        dem,
        overview,
        href,
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
export const removeDemOverviews = (dem: string, config: Config): Promise<void> =>
  openOwnFiles(config).removeBelow(folderOf(dem));

interface DemDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** `swath ingest dem`, put together; true when nothing was broken. Ctrl-C ends it after the files at hand. */
export async function ingestModel(
  command: IngestDemCommand,
  { config, terminal, outputMode }: DemDeps,
): Promise<boolean> {
  const isAddress = isAddressLike(command.from);
  const from = isAddress ? command.from : resolve(command.from);
  // A list of files may be anywhere; the files may not.
  if (!isAddress && !/\.txt$/i.test(from)) checkLocal(from, config);
  const { model, order, unit, bandIndex, nodata, gaps, attribution, bounds, prune } = command;
  const store = await openStore(config);
  await using threads = makeDemThreads(config);
  try {
    const run = (signal: AbortSignal): Promise<boolean> =>
      runIngestDem(command, {
        terminal,
        outputMode,
        ingest: (onProgress, onOverviewProgress) =>
          ingestDem({
            ...makeDemDoors(config),
            from,
            store: store.dems,
            name: model,
            order,
            unit,
            bandIndex,
            nodata,
            gaps,
            attribution,
            bounds,
            prune,
            onProgress,
            onOverviewProgress,
            onBug: makeNoteBug(terminal),
            signal,
            checkFile: async (file) => {
              // Reading all of a remote model may take days. What its overview mosaics read is checked by that.
              const isHere = file.format === 'tiff' && !isAddressLike(file.href);
              if (command.check && isHere) await threads.checkFile(file, signal);
            },
            makeOverviews: (dem, _signal, onFraction) =>
              makeDemOverviews(dem.name, {
                config,
                dems: store.dems,
                threads,
                signal,
                onProgress: onFraction,
              }),
          }),
      });
    return await withStopSignal(run);
  } finally {
    await store.close();
  }
}

const isAddressLike = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** Checks the folder of a file, because folders are what the settings can allow. */
function checkLocal(path: string, config: Config): void {
  checkFolder(/\.tiff?$/i.test(path) ? dirname(path) : path, config, 'Elevation models');
}
