import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockDirectory, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { Cubes, IngestGridsOptions } from '../cubes/index.ts';
import { makeCubes } from '../cubes/index.ts';
import { conflict, isSwathError } from '../errors.ts';
import { makeHdf5Thread } from '../formats/index.ts';
import { makeOpenSource, toFileHref } from '../storage/index.ts';
import type { Config } from './config.ts';

/** Folder of data cubes inside the data directory. */
export const CUBES_FOLDER = 'cubes';

/** The data cubes of a subject in a data directory. */
export const openCubes = (
  { dataDir }: Pick<Config, 'dataDir'>,
  subject: 'soil-moisture' | 'weather' | 'weather-days',
): Cubes => makeCubes({ directory: join(dataDir, CUBES_FOLDER), subject });

/** Keeps others from writing data cubes: two at once would sweep away each other's chunks. */
export function lockCubes(dataDir: string): ReturnType<typeof lockDirectory> {
  const directory = join(dataDir, CUBES_FOLDER);
  prepareDirectory(directory);
  try {
    return lockDirectory(directory);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'store-locked') throw error;
    const message = 'Another Swath writes data cubes in this data directory: wait for it, or stop it.';
    throw conflict('cubes-busy', message, { cause: error });
  }
}

/** Runs an ingest with all that opens files of fields, while no other process writes data cubes. */
export async function withGridFiles<T>(
  { dataDir, from }: { readonly dataDir: string; readonly from: string },
  work: (deps: Pick<IngestGridsOptions, 'open' | 'hdf5'>) => Promise<T>,
): Promise<T> {
  const lock = lockCubes(dataDir);
  const hdf5 = makeHdf5Thread();
  // Values are copied, so that the files may lie anywhere; but nothing outside of the folder that was named is read.
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const root = isFolder ? from : dirname(from);
  const open = makeOpenSource({ dataDir: root });
  try {
    return await work({ open: (path) => open(toFileHref(path, { dataDir: root, folders: [] })), hdf5 });
  } finally {
    await hdf5.close();
    lock.release();
  }
}
