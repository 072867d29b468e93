import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepHours } from '../../cubes/index.ts';
import { parseCubeName } from '../../cubes/index.ts';
import { isGone, toInodeStamp, writeWholeFile } from '../../files/index.ts';
import { makeLru } from '../../lru.ts';
import { conflict, sourceBroken } from '../errors.ts';
import type { WeatherVariable } from '../weather-series.ts';

/** A weather station, and what is stored of it. */
export interface Station {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Height above the sea; null if it is not known. */
  readonly elevationM: number | null;
  /** Days of a station are those of its clock; hours are those of UTC. */
  readonly stepHours: StepHours;
  /** Days or hours from 1970. */
  readonly firstStep: number;
  readonly stepCount: number;
  readonly variables: readonly WeatherVariable[];
}

/** Numbers of a station over time, NaN where there is a gap, in the units of `WEATHER_VARIABLES`. */
export interface StationSeries {
  readonly station: Station;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float32Array>>>;
}

/** The stations that were ingested under one name. */
export interface StationSet {
  readonly name: string;
  readonly stations: readonly Station[];
  /** Files that are in it, with their stamps. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Weather stations by name of their data set: one file each, replaced whole. One process at a time may write. */
export interface StationStore {
  /** All data sets, by name. */
  list(): Promise<readonly StationSet[]>;
  find(name: string): Promise<StationSet | null>;
  /** Numbers of one station; null if there is none. */
  readStation(name: string, id: string): Promise<StationSeries | null>;
  /** Adds numbers: one replaces what was there, a gap does not. */
  put(
    name: string,
    series: readonly StationSeries[],
    sources: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** False if there was none. */
  remove(name: string): Promise<boolean>;
}

/** Station after station, and of each variable after variable, numbers follow the head as little-endian floats. */
interface Head {
  readonly format: number;
  readonly sources: Readonly<Record<string, string>>;
  readonly stations: readonly Station[];
}

const FORMAT = 1;
const SUFFIX = '.stations';
/** Four bytes that say how long the head is. */
const LENGTH_BYTES = 4;
/** A head of 10,000 stations has 3 MB. */
const MAX_HEAD_BYTES = 2 ** 26;
/** Heads that are remembered. */
const MAX_HEADS = 16;

interface OpenedSet {
  readonly head: Head;
  /** Where the numbers begin. */
  readonly start: number;
}

/** Builds the store over a folder, which is made with the first station. */
export function makeStationStore({ directory }: { readonly directory: string }): StationStore {
  const heads = makeLru<OpenedSet & { readonly stamp: string }>({ max: MAX_HEADS });
  const toPath = (name: string): string => join(directory, `${parseCubeName(name)}${SUFFIX}`);

  const readHead = async (name: string): Promise<OpenedSet | null> => {
    const path = toPath(name);
    try {
      const stats = await stat(path);
      const stamp = toInodeStamp(stats);
      const known = heads.get(name);
      if (known?.stamp === stamp) return known;
      const read = { ...(await parseHead(path, stats.size)), stamp };
      heads.set(name, read);
      return read;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  };

  const find = async (name: string): Promise<StationSet | null> => {
    const found = await readHead(name);
    return found === null ? null : { name, stations: found.head.stations, sources: found.head.sources };
  };

  const readStation = async (name: string, id: string): Promise<StationSeries | null> => {
    const found = await readHead(name);
    let at = found?.start ?? 0;
    for (const station of found?.head.stations ?? []) {
      if (station.id === id) return readSeries(toPath(name), station, at);
      at += toBytes(station);
    }
    return null;
  };

  return {
    find,
    readStation,
    async list() {
      const files = await readdir(directory).catch(() => []);
      const names = files
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice(0, -SUFFIX.length));
      const sets = await Promise.all(names.toSorted().map(find));
      return sets.filter((set) => set !== null);
    },
    async put(name, added, sources) {
      await mkdir(directory, { recursive: true });
      const found = await find(name);
      const all = new Map<string, StationSeries>();
      for (const { id } of found?.stations ?? []) all.set(id, (await readStation(name, id))!);
      for (const one of added) {
        const before = all.get(one.station.id);
        all.set(one.station.id, before === undefined ? one : mergeSeries(before, one));
      }
      await writeSet(toPath(name), [...all.values()], { ...found?.sources, ...sources });
    },
    async remove(name) {
      if ((await readHead(name)) === null) return false;
      await rm(toPath(name), { force: true });
      return true;
    },
  };
}

const toBytes = ({ stepCount, variables }: Station): number => 4 * stepCount * variables.length;

async function writeSet(
  path: string,
  all: readonly StationSeries[],
  sources: Readonly<Record<string, string>>,
): Promise<void> {
  const head: Head = { format: FORMAT, sources, stations: all.map(({ station }) => station) };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  await writeWholeFile(path, async (file) => {
    await file.write(Buffer.concat([length, text]), 0);
    let at = LENGTH_BYTES + text.length;
    for (const { station, values } of all) {
      for (const variable of station.variables) {
        const numbers = values[variable]!;
        await file.write(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
        at += numbers.byteLength;
      }
    }
  });
}

/** Joins two series of a station: a number of the second replaces one of the first, a gap does not. */
function mergeSeries(before: StationSeries, added: StationSeries): StationSeries {
  const [one, other] = [before.station, added.station];
  if (one.stepHours !== other.stepHours)
    throw conflict(
      'station-step',
      `The station ${one.id} is stored by ${one.stepHours === 1 ? 'hour' : 'day'}. Ingest the table under another --name.`,
    );
  const firstStep = Math.min(one.firstStep, other.firstStep);
  const end = Math.max(one.firstStep + one.stepCount, other.firstStep + other.stepCount);
  const stepCount = end - firstStep;
  const variables = [...new Set([...one.variables, ...other.variables])];
  const values: Partial<Record<WeatherVariable, Float32Array>> = {};
  for (const variable of variables) {
    const merged = new Float32Array(stepCount).fill(Number.NaN);
    merged.set(before.values[variable] ?? [], one.firstStep - firstStep);
    for (const [i, value] of (added.values[variable] ?? new Float32Array()).entries())
      if (!Number.isNaN(value)) merged[other.firstStep - firstStep + i] = value;
    values[variable] = merged;
  }
  return {
    station: { ...other, elevationM: other.elevationM ?? one.elevationM, firstStep, stepCount, variables },
    values,
  };
}

async function readRange(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw damaged();
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function parseHead(path: string, size: number): Promise<OpenedSet> {
  if (size < LENGTH_BYTES) throw damaged();
  const length = (await readRange(path, 0, LENGTH_BYTES)).readUInt32LE();
  if (length > MAX_HEAD_BYTES || LENGTH_BYTES + length > size) throw damaged();
  const text = (await readRange(path, LENGTH_BYTES, length)).toString('utf8');
  try {
    const head = JSON.parse(text) as Head;
    if (head.format !== FORMAT) throw new Error(`format ${head.format}`);
    const start = LENGTH_BYTES + length;
    const bytes = head.stations.reduce((sum, station) => sum + toBytes(station), 0);
    if (start + bytes !== size) throw new Error('a length that is not that of the file');
    return { head, start };
  } catch (cause) {
    throw damaged(cause);
  }
}

const damaged = (cause?: unknown) =>
  sourceBroken(
    'stations-damaged',
    'The file of weather stations is damaged; remove it and ingest it again.',
    {
      cause,
    },
  );

async function readSeries(path: string, station: Station, offset: number): Promise<StationSeries> {
  const bytes = await readRange(path, offset, toBytes(station));
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const { stepCount } = station;
  const values: Partial<Record<WeatherVariable, Float32Array>> = {};
  for (const [i, variable] of station.variables.entries())
    values[variable] = all.subarray(i * stepCount, (i + 1) * stepCount);
  return { station, values };
}

/** The weather stations of a data directory. */
export const openStations = ({ dataDir }: { readonly dataDir: string }): StationStore =>
  makeStationStore({ directory: join(dataDir, 'stations') });
