import { join } from 'node:path';
import type { FolderHandle, FolderStats } from '../files/index.ts';
import { makeFolderHandle, NO_STATS, readFolderStats, watchFolder } from '../files/index.ts';
import type { Log } from '../http/index.ts';
import { MIB } from '../units.ts';
import type { Config } from './config.ts';

/** Headers of four thousand files: each has the first 64 KiB, which hold the whole header of nearly every COG. */
const HEADERS_MIB = 256;

/** Folders of the data directory in which bytes of remote files are stored; plain data, to be given to threads. */
export interface RemoteCaches {
  readonly headers?: FolderHandle;
  readonly ranges?: FolderHandle;
}

/** The header folder; there is one if remote files are read. */
export function toHeaderCache({
  dataDir,
  sources,
}: Pick<Config, 'dataDir' | 'sources'>): Pick<RemoteCaches, 'headers'> {
  if (sources.network === undefined) return {};
  return { headers: makeFolderHandle(join(dataDir, 'remote-headers'), HEADERS_MIB * MIB) };
}

/** Both folders, as the settings want them. */
export function toRemoteCaches(config: Config): RemoteCaches {
  const { dataDir, sources, rangeCacheMb } = config;
  if (sources.network === undefined || rangeCacheMb === 0) return toHeaderCache(config);
  const ranges = makeFolderHandle(join(dataDir, 'range-cache'), rangeCacheMb * MIB);
  return { ...toHeaderCache(config), ranges };
}

/** Writes a line to the log when the disk of a folder begins to fail; the result ends it. */
export function watchRemoteCaches({ headers, ranges }: RemoteCaches, log: Log): () => void {
  const warn = (what: string) => (code: string) =>
    log.warn({ code }, `${what} of remote files cannot be stored on disk; tried again in a minute`);
  const watched = [
    ...(headers === undefined ? [] : [watchFolder(headers, warn('headers'))]),
    ...(ranges === undefined ? [] : [watchFolder(ranges, warn('ranges'))]),
  ];
  return () => {
    for (const end of watched) end();
  };
}

/** Numbers of a folder; all zero where there is none. */
export const readCacheStats = (folder: FolderHandle | undefined): FolderStats =>
  folder === undefined ? NO_STATS : readFolderStats(folder);
