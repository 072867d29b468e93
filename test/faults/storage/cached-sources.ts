import { join } from 'node:path';
import { makeFolderHandle } from '../../../src/files/index.ts';
import type { NetworkSources, OpenSource } from '../../../src/sources/index.ts';
import { makeOpenSource } from '../../../src/sources/index.ts';
import { listLiveFiles } from '../../support/live-files.ts';

/** How remote files are opened with their headers and ranges on disk; plain data. */
export interface CachedSources {
  readonly dataDir: string;
  readonly network: NetworkSources;
  readonly rangeBytes: number;
}

/** The ranges that the tests read. */
export const RANGE_BYTES = 20_000;

/** A byte of the file of the tests. */
export const toByte = (offset: number): number => (offset * 7 + (offset >> 8)) % 251;

/** The folders of a data directory, as a process of its own opens them. */
export const openFolders = ({ dataDir, rangeBytes }: Pick<CachedSources, 'dataDir' | 'rangeBytes'>) => ({
  headers: makeFolderHandle(join(dataDir, 'remote-headers'), 2 ** 22),
  ranges: makeFolderHandle(join(dataDir, 'range-cache'), rangeBytes),
});

/** Opens files as a process does that was just started. */
export const openCached = (sources: CachedSources): OpenSource =>
  makeOpenSource({ dataDir: sources.dataDir, network: sources.network, ...openFolders(sources) });

/** Paths of the entries in a folder of a data directory; none if it does not exist. */
export const listEntries = (dataDir: string, folder: string): readonly string[] =>
  listLiveFiles(join(dataDir, folder)).filter((path) => /\/[0-9a-f]+\+[0-9a-f]+$/.test(path));
