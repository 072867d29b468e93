import { resolve } from 'node:path';
import type { IngestSoilMoistureCommand, IngestWeatherCommand, Terminal } from '../cli/index.ts';
import { makeNoteBug, runIngestGrids } from '../cli/index.ts';
import type { Config } from '../settings/index.ts';
import { ingestMoistureFiles } from '../soil-moisture/index.ts';
import { ingestWeatherFiles } from '../weather/index.ts';
import { openAddress } from './files.ts';
import { lockFolder } from './open-store.ts';
import { withStopSignal } from './stop-signals.ts';

interface IngestDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** `swath ingest soilmoisture`, put together; true when nothing was broken. Ctrl-C ends it after the current file. */
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
          lockFolder,
          from: resolve(command.from),
          cube: command.cube,
          variable: command.variable,
          porosity: command.porosity,
          signal,
          onProgress,
          onBug: makeNoteBug(terminal),
        }),
    }),
  );

/** `swath ingest weather`, put together; true when nothing was broken. Ctrl-C ends it after the current file. */
export const ingestWeather = (
  command: IngestWeatherCommand,
  { config, terminal, outputMode }: IngestDeps,
): Promise<boolean> =>
  withStopSignal((signal) =>
    runIngestGrids(command, {
      terminal,
      outputMode,
      formats: 'GRIB, NetCDF, HDF5, GeoTIFF or CSV files, and no Zarr',
      ingest: (onProgress) =>
        ingestWeatherFiles({
          ...command,
          config,
          lockFolder,
          openAddress: (address) => openAddress(address, config),
          signal,
          onProgress,
          onBug: makeNoteBug(terminal),
        }),
    }),
  );
