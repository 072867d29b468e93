import { readFile, rm, stat } from 'node:fs/promises';
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
import { isSwathError } from '../../errors.ts';
import { walkFolder } from '../../files/index.ts';
import { toShownAddress } from '../../net/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { copySource, toFileStamp } from '../../sources/index.ts';
import { notFound, tooLarge } from '../errors.ts';
import type { StationDefaults } from '../stations/parse-station-table.ts';
import { parseStationTable } from '../stations/parse-station-table.ts';
import type { StationStore } from '../stations/station-store.ts';
import { openStations } from '../stations/station-store.ts';
import { areDaysCurrent, deriveDays, openWeatherCubes } from '../weather-cubes.ts';
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

/** Bytes of a table, which is read whole. */
const MAX_BYTES = 2 ** 28;

/** A table and where it goes. */
interface IngestStationsOptions {
  readonly stations: StationStore;
  /** Name of the data set. */
  readonly name: string;
  /** Path of the table. */
  readonly path: string;
  /** Name under which the table is remembered: its path or its address. */
  readonly source: string;
  /** Changes whenever the table does. */
  readonly stamp: string;
  /** Where its one station is, if the table does not say it. */
  readonly station: Omit<StationDefaults, 'id'>;
}

/** Whether a name is that of a table. */
const isStationTable = (name: string): boolean => /\.csv$/i.test(name);

/** Puts a table of stations into the store; returns its rows, or null if it was stored before. */
export async function ingestStationTable(options: IngestStationsOptions): Promise<number | null> {
  const { stations, name, path, source, station } = options;
  const stamp = `${options.stamp} ${Object.values(station).join(' ')}`.trimEnd();
  const known = await stations.find(name);
  if (known?.sources[source] === stamp) return null;
  const { size } = await stat(path).catch((cause: unknown) => {
    throw notFound('no-files', `There is no file or folder ${path}.`, { cause });
  });
  if (size > MAX_BYTES)
    throw tooLarge('table-too-large', `The table has more than ${MAX_BYTES / 2 ** 20} MB; split it.`);
  const text = new TextDecoder('utf-8').decode(await readFile(path));
  const id = basename(source)
    .replace(/\.csv$/i, '')
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const { series, rowCount } = parseStationTable(text, { ...station, id: id.slice(0, 60) || 'station' });
  await stations.put(name, series, { [source]: stamp });
  return rowCount;
}
