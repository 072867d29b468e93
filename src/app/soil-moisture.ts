import { resolve } from 'node:path';
import type { IngestSoilMoistureCommand, Terminal } from '../cli/index.ts';
import { runIngestGrids } from '../cli/index.ts';
import type { Cubes, GridReport } from '../cubes/index.ts';
import { ingestGrids, makeRulesPlan } from '../cubes/index.ts';
import { makeMoistureRule } from '../soil-moisture/index.ts';
import { toBugNote } from './bug-note.ts';
import type { Config } from './config.ts';
import type { CubesConfig, CubesLock } from './data-cubes.ts';
import { openCubes, withGridFiles } from './data-cubes.ts';
import { withStopSignal } from './with-stop-signal.ts';

/** The data cubes of soil moisture; a process that writes them has the lock. */
export const openMoistureCubes = (config: CubesConfig, lock: CubesLock | null = null): Cubes =>
  openCubes(config, 'soil-moisture', lock);

interface FilesOptions {
  readonly config: CubesConfig;
  readonly from: string;
  readonly cube: string;
  readonly variable: string | null;
  readonly porosity: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts files of soil moisture into a data cube. */
export function ingestMoistureFiles(options: FilesOptions): Promise<GridReport> {
  const { config, variable, porosity, ...rest } = options;
  return withGridFiles({ config, from: rest.from }, (files, lock) =>
    ingestGrids({
      ...rest,
      ...files,
      cubes: openMoistureCubes(config, lock),
      plan: makeRulesPlan({ cube: rest.cube, rules: [makeMoistureRule({ porosity })], variable }),
      settings: [variable, porosity].filter((setting) => setting !== null).join(' '),
    }),
  );
}

interface IngestDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** `swath ingest soilmoisture`, put together; true when nothing was broken. Ctrl-C ends it after the file at hand. */
export const ingestSoilMoisture = (
  command: IngestSoilMoistureCommand,
  { config, terminal, outputMode }: IngestDeps,
): Promise<boolean> =>
  withStopSignal((signal) =>
    runIngestGrids(command, {
      terminal,
      outputMode,
      formats: 'NetCDF, HDF5 or GeoTIFF files, and no Zarr',
      ingest: (onProgress) =>
        ingestMoistureFiles({
          config,
          from: resolve(command.from),
          cube: command.cube,
          variable: command.variable,
          porosity: command.porosity,
          signal,
          onProgress,
          onBug: (error, file) => terminal.note(toBugNote(error, file)),
        }),
    }),
  );
