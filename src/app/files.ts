import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderHandle, FolderStats } from '../files/index.ts';
import { makeFolderHandle, NO_STATS, readFolderStats, watchFolder } from '../files/index.ts';
import type { Log } from '../http/index.ts';
import { makeIsAllowedHref } from '../ingest/index.ts';
import { toAddressOrigin, toShownAddress } from '../net/index.ts';
import type { Config } from '../settings/index.ts';
import type { ByteSource } from '../sources/index.ts';
import { makeListBucket, makeOpenSource, mayHoldScenes, toFileHref } from '../sources/index.ts';
import type { IngestDemOptions } from '../terrain/index.ts';
import { DEM_FILES } from '../terrain/index.ts';
import { MIB } from '../units.ts';
import { badInput, notAllowed } from './errors.ts';

/** The settings that say which files may be read. */
type FilesConfig = Pick<Config, 'dataDir' | 'sources'>;

/** Room for four thousand headers: the first 64 KiB of a file contain the whole header of nearly every COG. */
const HEADERS_MIB = 256;

/** Folders of the data directory that cache bytes of remote files; plain data, to be passed to threads. */
export interface RemoteCaches {
  readonly headers?: FolderHandle;
  readonly ranges?: FolderHandle;
}

/** The header folder; there is none if no remote files are read. */
export function toHeaderCache({ dataDir, sources }: FilesConfig): Pick<RemoteCaches, 'headers'> {
  if (sources.network === undefined) return {};
  return { headers: makeFolderHandle(join(dataDir, 'remote-headers'), HEADERS_MIB * MIB) };
}

/** Both folders, as the settings want them. */
export function toRemoteCaches(config: FilesConfig & Pick<Config, 'rangeCacheMb'>): RemoteCaches {
  const { dataDir, sources, rangeCacheMb } = config;
  if (sources.network === undefined || rangeCacheMb === 0) return toHeaderCache(config);
  const ranges = makeFolderHandle(join(dataDir, 'range-cache'), rangeCacheMb * MIB);
  return { ...toHeaderCache(config), ranges };
}

/** Logs when the disk of a folder begins to fail, until the returned function is called. */
export function watchRemoteCaches({ headers, ranges }: RemoteCaches, log: Log): () => void {
  const warn = (what: string) => (code: string) =>
    log.warn({ code }, `${what} of remote files cannot be stored on disk; tried again in a minute`);
  const endHeaders = headers && watchFolder(headers, warn('headers'));
  const endRanges = ranges && watchFolder(ranges, warn('ranges'));
  return () => {
    endHeaders?.();
    endRanges?.();
  };
}

/** Counts of a folder; all zero if there is none. */
export const readCacheStats = (folder: FolderHandle | undefined): FolderStats =>
  folder === undefined ? NO_STATS : readFolderStats(folder);

/**
 * Max calls in flight to one origin, of all threads together, where no network thread reads for them: overviews of
 * elevation models, and results in a bucket. Each thread may have at least two.
 */
const CALLS_OF_THREADS = 16;

/** Where a thread that reads for itself finds files. Threads do not know of each other: each gets its share of the calls. */
export function toThreadFiles({ dataDir, sources, threads }: FilesConfig & Pick<Config, 'threads'>) {
  const { folders, network } = sources;
  if (network === undefined) return { dataDir, folders };
  const concurrency = Math.max(2, Math.floor(CALLS_OF_THREADS / threads));
  return { dataDir, folders, network: { ...network, limits: { concurrency, ...network.limits } } };
}

/** How files of elevation models are found and opened: by the same settings as those of scenes. */
export function makeDemDoors({
  dataDir,
  sources,
}: FilesConfig): Pick<IngestDemOptions, 'open' | 'listBucket' | 'isAllowedHref' | 'toHref'> {
  const files = { dataDir, ...sources };
  return {
    open: makeOpenSource({ ...files, ...toHeaderCache({ dataDir, sources }), subject: DEM_FILES }),
    listBucket: makeListBucket(files),
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path) => toFileHref(path, files),
  };
}

/** Opens an http(s) or s3 address that SWATH_SOURCES names. */
export async function openAddress(address: string, { dataDir, sources }: FilesConfig): Promise<ByteSource> {
  const files = { dataDir, ...sources };
  if (!makeIsAllowedHref(files)(address))
    throw notAllowed(
      'address-not-allowed',
      `${toShownAddress(address)} may not be read: SWATH_SOURCES does not name ${toAddressOrigin(address) ?? 'it'}.`,
    );
  const subject = { file: 'the file', server: 'the server of the file' };
  return makeOpenSource({ ...files, subject })(address);
}

/** Refuses a path that is not a folder, or that nothing may be ingested from: once, before any file is read. */
export function checkFolder(path: string, { dataDir, sources }: FilesConfig, what: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw badInput('no-folder', `There is no folder ${path}. Check the spelling.`);
  if (!facts.isDirectory()) throw badInput('no-folder', `${path} is a file, not a folder.`);
  if (mayHoldScenes(path, { dataDir, folders: sources.folders })) return;
  throw notAllowed(
    'folder-not-allowed',
    `${what} may not lie in ${path}: neither the data directory nor SWATH_SOURCES names it. Set SWATH_SOURCES="${path}" here and for the server, which opens the files later.`,
  );
}
