import { dirname, resolve } from 'node:path';
import type { IngestDemCommand, Terminal } from '../cli/index.ts';
import { runIngestDem } from '../cli/index.ts';
import { makeIsAllowedHref } from '../ingest/index.ts';
import { makeListBucket, makeOpenSource, toFileHref } from '../sources/index.ts';
import type { IngestDemOptions } from '../terrain/index.ts';
import { DEM_FILES, ingestDem } from '../terrain/index.ts';
import { toBugNote } from './bug-note.ts';
import { checkFolder } from './check-folder.ts';
import type { Config } from './config.ts';
import { makeDemOverviews } from './dem-overviews.ts';
import { makeDemThreads } from './dem-threads.ts';
import { openStore } from './open-store.ts';
import { toHeaderCache } from './remote-caches.ts';
import { withStopSignal } from './with-stop-signal.ts';

interface DemDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** How files of models are found and opened: by the same settings as those of scenes. */
export function makeDemDoors({
  dataDir,
  sources,
}: Pick<Config, 'dataDir' | 'sources'>): Pick<
  IngestDemOptions,
  'open' | 'listBucket' | 'isAllowedHref' | 'toHref'
> {
  const files = { dataDir, ...sources };
  return {
    open: makeOpenSource({ ...files, ...toHeaderCache({ dataDir, sources }), subject: DEM_FILES }),
    listBucket: makeListBucket(files),
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path) => toFileHref(path, files),
  };
}

/** `swath ingest dem`, put together; true when nothing was broken. Ctrl-C ends it after the files at hand. */
export async function ingestModel(
  command: IngestDemCommand,
  { config, terminal, outputMode }: DemDeps,
): Promise<boolean> {
  const isAddress = isAddressLike(command.from);
  const from = isAddress ? command.from : resolve(command.from);
  // A list may lie anywhere; what it names may not.
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
            ...(attribution === undefined ? {} : { attribution }),
            bounds,
            prune,
            onProgress,
            onOverviewProgress,
            onBug: (error, file) => terminal.note(toBugNote(error, file)),
            signal,
            checkFile: async (file) => {
              // Reading all of a remote model may take days; what its overview mosaics read is checked by that.
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

/** For a file the folder it lies in is named, which can be allowed. */
function checkLocal(path: string, config: Config): void {
  checkFolder(/\.tiff?$/i.test(path) ? dirname(path) : path, config, 'Elevation models');
}
