import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lockDirectory, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { IngestSoilMoistureCommand, Terminal } from '../cli/index.ts';
import { runIngestSoilMoisture } from '../cli/index.ts';
import type { Cubes, GridReport } from '../cubes/index.ts';
import { ingestGrids, makeCubes, makeRulesPlan } from '../cubes/index.ts';
import { conflict, isSwathError } from '../errors.ts';
import { makeHdf5Thread } from '../formats/index.ts';
import { makeMoistureRule } from '../soil-moisture/index.ts';
import { makeOpenSource, toFileHref } from '../storage/index.ts';
import type { Config } from './config.ts';

/** Folder of data cubes inside the data directory. */
const CUBES_FOLDER = 'cubes';

/** The data cubes of soil moisture of a data directory. */
export const openMoistureCubes = ({ dataDir }: Pick<Config, 'dataDir'>): Cubes =>
  makeCubes({ directory: join(dataDir, CUBES_FOLDER), subject: 'soil-moisture' });

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

interface FilesOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly from: string;
  readonly cube: string;
  readonly variable: string | null;
  readonly porosity: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts files of soil moisture into a data cube. */
export async function ingestMoistureFiles(options: FilesOptions): Promise<GridReport> {
  const { config, variable, porosity, ...rest } = options;
  const lock = lockCubes(config.dataDir);
  const hdf5 = makeHdf5Thread();
  // Values are copied, so that the files may lie anywhere; but nothing outside of the folder that was named is read.
  const isFolder = statSync(rest.from, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const root = isFolder ? rest.from : dirname(rest.from);
  const open = makeOpenSource({ dataDir: root });
  try {
    return await ingestGrids({
      ...rest,
      cubes: openMoistureCubes(config),
      plan: makeRulesPlan({ cube: rest.cube, rules: [makeMoistureRule({ porosity })], variable }),
      settings: [variable, porosity].filter((setting) => setting !== null).join(' '),
      open: (path) => open(toFileHref(path, { dataDir: root, folders: [] })),
      hdf5,
    });
  } finally {
    await hdf5.close();
    lock.release();
  }
}

interface IngestDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** `swath ingest soilmoisture`, put together; true when nothing was broken. Ctrl-C ends it after the file at hand. */
export async function ingestSoilMoisture(
  command: IngestSoilMoistureCommand,
  { config, terminal, outputMode }: IngestDeps,
): Promise<boolean> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { cube, variable, porosity } = command;
  try {
    return await runIngestSoilMoisture(command, {
      terminal,
      outputMode,
      ingest: (onProgress) =>
        ingestMoistureFiles({
          config,
          from: resolve(command.from),
          cube,
          variable,
          porosity,
          signal: stopping.signal,
          onProgress,
          onBug: (error, file) =>
            terminal.note(
              `${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
            ),
        }),
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
