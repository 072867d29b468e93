import { rm, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import type {
  CubesConfig,
  CubesLock,
  FoundGrid,
  GridFileReport,
  IngestGridsOptions,
  LockFolder,
} from '../../cubes/index.ts';
import { CUBES_FOLDER, listGridFiles, withGridFiles } from '../../cubes/index.ts';
import { isSwathError, notFound } from '../../errors.ts';
import { toFileStamp, walkFolder } from '../../files/index.ts';
import { toShownAddress } from '../../net/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { copySource } from '../../sources/index.ts';
import { areDaysCurrent, deriveDays } from '../grid/derive-days.ts';
import { ingestStationTable, isStationTable } from '../stations/ingest-stations.ts';
import { openStations, openWeatherCubes } from '../weather-data.ts';
import type { IngestWeatherOptions, WeatherReport } from './ingest-weather.ts';
import { ingestWeather } from './ingest-weather.ts';

/** What to ingest, and where to. */
export interface WeatherFilesOptions
  extends Pick<IngestWeatherOptions, 'kind' | 'runMs' | 'accumulated' | 'runs'> {
  /** A file, a folder, or the http(s) or s3 address of a file. */
  readonly from: string;
  /** Name of the data cube, of the forecast or of the stations. */
  readonly data: string;
  /** The location of the one station of a table that does not state it. */
  readonly station: Parameters<typeof ingestStationTable>[0]['station'];
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
  /** Opens an address, if the settings allow it. */
  readonly openAddress: (address: string) => Promise<ByteSource>;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

const isAddress = (from: string): boolean => /^(?:https?|s3):\/\//i.test(from);

/** Puts files of weather into data cubes, and tables of stations into their store. */
export async function ingestWeatherFiles(options: WeatherFilesOptions): Promise<WeatherReport> {
  const { config, lockFolder, data } = options;
  // Files of an address are copied here, and opened only here.
  const copies = join(config.dataDir, CUBES_FOLDER, 'copies');
  const remote = isAddress(options.from) ? await findAddress(options, copies) : null;
  const from = remote === null ? resolve(options.from) : options.from;
  const root = remote === null ? from : join(copies, 'any');
  return withGridFiles({ config, lockFolder, from: root }, async (files, lock) => {
    if (remote !== null) await rm(copies, { recursive: true, force: true });
    const found = remote === null ? await listTables(from) : isStationTable(remote.path) ? [remote] : [];
    const isTable = found.length === 1 && (remote !== null || found[0]!.path === from);
    const grids = isTable
      ? { cube: data, cubes: [], files: [], totals: NONE, stopped: false, removed: [] }
      : await ingestFields({
          ...options,
          ...files,
          lock,
          from,
          list: remote === null ? () => listGridFiles(from) : async () => [remote],
        });
    const lines: GridFileReport[] = [];
    for (const table of grids.stopped ? [] : found) lines.push(await takeTable(table, from, options));
    options.onProgress?.(1);
    return addTables(grids, lines);
  });
}

/** Share of the progress that deriving days takes. */
const DAYS_SHARE = 0.2;

/** Puts fields into data cubes, and derives days from an hourly history. */
async function ingestFields(
  options: WeatherFilesOptions &
    Pick<IngestGridsOptions, 'open' | 'hdf5' | 'list'> & { readonly lock: CubesLock },
): Promise<WeatherReport> {
  const { config, data, signal, onProgress, lock } = options;
  const grids = openWeatherCubes(config, lock);
  const wasCurrent = await areDaysCurrent(grids, data);
  const report = await ingestWeather({
    ...options,
    name: data,
    cubes: grids.cubes,
    nowMs: Date.now(),
    onProgress: (fraction) => onProgress?.((1 - DAYS_SHARE) * fraction),
  });
  if (report.stopped) return report;
  try {
    // Days that were made before need only those of the hours that have come.
    const changed = wasCurrent ? (report.steps?.[data] ?? {}) : {};
    await deriveDays(grids, data, {
      ...changed,
      signal,
      onProgress: (fraction) => onProgress?.(1 - DAYS_SHARE + DAYS_SHARE * fraction),
    });
    return report;
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ...report, stopped: true };
  }
}

const NONE = { ingested: 0, unchanged: 0, broken: 0 } as const;

function addTables(report: WeatherReport, lines: readonly GridFileReport[]): WeatherReport {
  const count = (outcome: GridFileReport['outcome']): number =>
    lines.filter((line) => line.outcome === outcome).length;
  const { ingested, unchanged, broken } = report.totals;
  return {
    ...report,
    files: [...report.files, ...lines],
    totals: {
      ingested: ingested + count('ingested'),
      unchanged: unchanged + count('unchanged'),
      broken: broken + count('broken'),
    },
  };
}

/** The file at an address. It is copied only when it is read: not if its version is stored already. */
async function findAddress(
  { from, openAddress, signal }: WeatherFilesOptions,
  copies: string,
): Promise<FoundGrid> {
  const source = await openAddress(from);
  const { size, version } = source;
  await source.close();
  // Without its query, which may hold a signature.
  const path = toShownAddress(from);
  return {
    path,
    stamp: `${size}-${version}`,
    async makeCopy() {
      const opened = await openAddress(from);
      try {
        return await copySource(opened, {
          directory: copies,
          name: basename(new URL(from).pathname),
          signal,
        });
      } finally {
        await opened.close();
      }
    },
  };
}

/** Tables of stations at a path: itself, or those below a folder. */
async function listTables(from: string): Promise<readonly FoundGrid[]> {
  const stats = await stat(from).catch((cause: unknown) => {
    throw notFound('no-files', `There is no file or folder ${from}.`, { cause });
  });
  if (!stats.isDirectory()) return isStationTable(from) ? [{ path: from, stamp: toFileStamp(stats) }] : [];
  const { files } = await walkFolder(from);
  return files
    .filter(({ parts }) => isStationTable(parts.at(-1) ?? ''))
    .map(({ parts, sizeBytes: size, modifiedMs: mtimeMs }) => ({
      path: join(from, ...parts),
      stamp: toFileStamp({ size, mtimeMs }),
    }));
}

async function takeTable(
  { path, stamp, makeCopy }: FoundGrid,
  from: string,
  { config, data, station, onBug }: WeatherFilesOptions,
): Promise<GridFileReport> {
  const file = relative(from, path) || path;
  const copy = await makeCopy?.();
  try {
    const rows = await ingestStationTable({
      stations: openStations(config),
      name: data,
      path: copy?.path ?? path,
      source: path,
      stamp,
      station,
    });
    return rows === null ? { file, outcome: 'unchanged' } : { file, outcome: 'ingested', rows };
  } catch (error) {
    if (!isSwathError(error)) onBug?.(error, file);
    const { code, message } = isSwathError(error)
      ? error
      : { code: 'internal', message: 'Something went wrong inside Swath.' };
    if (code === 'no-space') throw error;
    return { file, outcome: 'broken', code, reason: message };
  } finally {
    await copy?.remove();
  }
}
