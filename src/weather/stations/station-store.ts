import type { CubesConfig, StepHours } from '../../cubes/index.ts';
import { parseCubeName } from '../../cubes/index.ts';
import { makeLru } from '../../lru.ts';
import type { ObjectStore } from '../../objects/index.ts';
import { openOwnObjects } from '../../objects/index.ts';
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

/**
 * Stores a data set of weather stations as one object, by its name. A write replaces it whole, or fails if someone else has
 * replaced it since it was read.
 */
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

/** The state of a stored set. */
interface SetState {
  readonly name: string;
  readonly size: number;
  readonly etag: string;
}

interface OpenedSet extends SetState {
  readonly head: Head;
  /** Where the numbers begin. */
  readonly start: number;
}

interface StationStoreDeps {
  readonly objects: Pick<ObjectStore, 'list' | 'stat' | 'readRange' | 'put' | 'remove'>;
  /** How long a list of sets is used again: a bucket is not asked for each request. */
  readonly freshMs?: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/** Enough for the heads of nearly all sets, in one read. */
const HEAD_BYTES = 2 ** 16;
/** How often a set that is being replaced is read or written again. */
const MAX_ATTEMPTS = 5;

const toKey = (name: string): string => `${parseCubeName(name)}${SUFFIX}`;

/** Builds the store over objects: files of a folder, or of a bucket that nodes share. */
export function makeStationStore({
  objects,
  freshMs = 0,
  nowMs = () => performance.now(),
}: StationStoreDeps): StationStore {
  const heads = makeLru<OpenedSet>({ max: MAX_HEADS });
  let listed: { readonly atMs: number; readonly states: readonly SetState[] } | null = null;

  const readStates = async (): Promise<readonly SetState[]> => {
    if (listed !== null && nowMs() - listed.atMs < freshMs) return listed.states;
    const atMs = nowMs();
    const states: SetState[] = [];
    for await (const page of objects.list('')) {
      for (const { key, size, etag } of page) {
        if (!key.endsWith(SUFFIX) || key.includes('/')) continue;
        const known = etag ?? (await objects.stat(key))?.etag;
        if (known !== undefined) states.push({ name: key.slice(0, -SUFFIX.length), size, etag: known });
      }
    }
    listed = { atMs, states: states.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
    return listed.states;
  };

  /** Reads of a set as long as it is the same one; null if there is none. Bytes of two states are never mixed. */
  const readSame = async <Result>(
    name: string,
    read: (state: SetState) => Promise<Result>,
  ): Promise<Result | null> => {
    const key = toKey(name);
    for (let attempt = 1; ; attempt += 1) {
      const state = (await readStates()).find((one) => one.name === name);
      if (state === undefined) return null;
      const result = await read(state).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      const isSame = (await objects.stat(key))?.etag === state.etag;
      if (isSame && 'value' in result) return result.value;
      if ('error' in result && (isSame || attempt === MAX_ATTEMPTS)) throw result.error;
      if (attempt === MAX_ATTEMPTS) throw changing();
      listed = null;
    }
  };

  const readHead = async (name: string): Promise<OpenedSet | null> => {
    const state = (await readStates()).find((one) => one.name === name);
    const known = heads.get(name);
    if (state === undefined || known?.etag === state.etag)
      return state === undefined ? null : (known ?? null);
    const read = await readSame(name, async (current) => ({ ...current, ...(await parseHead(current)) }));
    if (read !== null) heads.set(name, read);
    return read;
  };

  const readRange = async (name: string, offset: number, length: number): Promise<Uint8Array> =>
    (await objects.readRange(toKey(name), { offset, length })) ?? Promise.reject(damaged());

  const parseHead = async ({ name, size }: SetState): Promise<Pick<OpenedSet, 'head' | 'start'>> => {
    if (size < LENGTH_BYTES) throw damaged();
    const first = await readRange(name, 0, Math.min(size, HEAD_BYTES));
    const length = new DataView(first.buffer, first.byteOffset).getUint32(0, true);
    const start = LENGTH_BYTES + length;
    if (length > MAX_HEAD_BYTES || start > size) throw damaged();
    const bytes = start <= first.length ? first.subarray(0, start) : await readRange(name, 0, start);
    try {
      const head = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES))) as Head;
      if (head.format !== FORMAT) throw new Error(`format ${head.format}`);
      const numbers = head.stations.reduce((sum, station) => sum + toBytes(station), 0);
      if (start + numbers !== size) throw new Error('a length that is not that of the file');
      return { head, start };
    } catch (cause) {
      throw damaged(cause);
    }
  };

  const find = async (name: string): Promise<StationSet | null> => {
    const found = await readHead(name);
    return found === null ? null : { name, stations: found.head.stations, sources: found.head.sources };
  };

  const readStation = (name: string, id: string): Promise<StationSeries | null> =>
    readSame(name, async (state) => {
      const known = heads.get(name);
      const { head, start } = known?.etag === state.etag ? known : await parseHead(state);
      let at = start;
      for (const station of head.stations) {
        if (station.id === id) return toSeries(station, await readRange(name, at, toBytes(station)));
        at += toBytes(station);
      }
      return null;
    });

  const readAll = async (name: string) =>
    readSame(name, async (state) => {
      const { head, start } = await parseHead(state);
      const bytes = await readRange(name, start, state.size - start);
      let at = 0;
      const series = head.stations.map((station) => {
        const own = bytes.subarray(at, at + toBytes(station));
        at += toBytes(station);
        return toSeries(station, own);
      });
      return { series, sources: head.sources, etag: state.etag };
    });

  return {
    find,
    readStation,
    async list() {
      const sets = await Promise.all((await readStates()).map(({ name }) => find(name)));
      return sets.filter((set) => set !== null);
    },
    async put(name, added, sources) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        listed = null;
        const before = await readAll(name);
        const all = new Map((before?.series ?? []).map((one) => [one.station.id, one]));
        for (const one of added) {
          const known = all.get(one.station.id);
          all.set(one.station.id, known === undefined ? one : mergeSeries(known, one));
        }
        const written = await objects.put(
          toKey(name),
          toContent([...all.values()], { ...before?.sources, ...sources }),
          {
            contentType: 'application/octet-stream',
            when: before === null ? 'absent' : { etag: before.etag },
          },
        );
        listed = null;
        if (written !== null) return;
      }
      throw changing();
    },
    async remove(name) {
      listed = null;
      if (!(await readStates()).some((one) => one.name === name)) return false;
      await objects.remove(toKey(name));
      listed = null;
      return true;
    },
  };
}

const toBytes = ({ stepCount, variables }: Station): number => 4 * stepCount * variables.length;

/** A set as it is stored. */
function toContent(all: readonly StationSeries[], sources: Readonly<Record<string, string>>): Uint8Array {
  const head: Head = { format: FORMAT, sources, stations: all.map(({ station }) => station) };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const numbers = all.flatMap(({ station, values }) =>
    station.variables.map((variable) => {
      const { buffer, byteOffset, byteLength } = values[variable]!;
      return new Uint8Array(buffer, byteOffset, byteLength);
    }),
  );
  return Buffer.concat([length, text, ...numbers]);
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

const damaged = (cause?: unknown) =>
  sourceBroken(
    'stations-damaged',
    'The file of weather stations is damaged; remove it and ingest it again.',
    {
      cause,
    },
  );

const changing = () =>
  conflict('stations-busy', 'The weather stations are being replaced by another process; try again.');

function toSeries(station: Station, bytes: Uint8Array): StationSeries {
  const all = new Float32Array(bytes.slice().buffer);
  const { stepCount } = station;
  const values: Partial<Record<WeatherVariable, Float32Array>> = {};
  for (const [i, variable] of station.variables.entries())
    values[variable] = all.subarray(i * stepCount, (i + 1) * stepCount);
  return { station, values };
}

/** As for data cubes: what another process has written is seen after so long. */
const BUCKET_FRESH_MS = 5_000;

/** The weather stations of the data directory, or of the bucket of data cubes. */
export const openStations = (config: CubesConfig): StationStore =>
  makeStationStore({
    objects: openOwnObjects(config, 'stations'),
    freshMs: config.cubes === null ? 0 : BUCKET_FRESH_MS,
  });
