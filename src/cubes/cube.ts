import type { CubeGrid } from './cube-grid.ts';
import { sourceBroken } from './errors.ts';

/** Hours of a step of time. */
export type StepHours = 1 | 24;

/** Whether a cube holds past weather, or the forecast of one model run. */
export type CubeKind = 'history' | 'forecast';

/** A variable of a cube. */
export interface CubeVariable {
  readonly units: string;
  readonly longName: string;
  /** True when it has one field for all times, which is that of step 0, such as the height of the ground. */
  readonly isStatic?: boolean;
}

/** A data cube as it is stored; steps are counted from 1970-01-01 00:00 UTC. */
export interface Cube {
  readonly name: string;
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  readonly variables: Readonly<Record<string, CubeVariable>>;
  readonly firstStep: number;
  readonly lastStep: number;
  /** History by default. */
  readonly kind?: CubeKind;
  /** When the model run of a forecast began; null or absent otherwise. */
  readonly runMs?: number | null;
  /** The number of ingested files. */
  readonly sourceCount: number;
}

/** Steps of a chunk: a year of days is in one or two, a month of hours in two or three. */
export const CHUNK_STEPS = 512;

/** Where a chunk is stored: a range of a file that holds many. */
export interface ChunkRange {
  /** Inside the folder of the cube. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** A variable and where its chunks are, by `toChunkKey`. */
export interface VariableState {
  readonly units: string;
  readonly longName: string;
  /** Its one field is that of step 0. */
  readonly isStatic: boolean;
  readonly chunks: ReadonlyMap<string, ChunkRange>;
}

/** The whole state of a cube; each write makes a new one. */
export interface CubeState {
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  readonly kind: CubeKind;
  readonly runMs: number | null;
  readonly chunkSide: number;
  readonly variables: ReadonlyMap<string, VariableState>;
  readonly firstStep: number;
  readonly lastStep: number;
  /** The ingested files by name, with their size and time. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Whether a variable exists only for the next ingest, such as a sum that continues in the next file. Callers do not see
 * it.
 */
const isHiddenVariable = (name: string): boolean => name.startsWith('_');

/** What callers see of a cube. */
export const toCube = (name: string, state: CubeState): Cube => ({
  name,
  grid: state.grid,
  stepHours: state.stepHours,
  variables: Object.fromEntries(
    [...state.variables]
      .filter(([variable]) => !isHiddenVariable(variable))
      .map(([variable, { units, longName, isStatic }]) => [
        variable,
        isStatic ? { units, longName, isStatic } : { units, longName },
      ]),
  ),
  firstStep: state.firstStep,
  lastStep: state.lastStep,
  kind: state.kind,
  runMs: state.runMs,
  sourceCount: state.sources.size,
});

/** Address of a chunk: its row, its column, and its number in time counted from 1970. */
export const toChunkKey = (row: number, column: number, time: number): string => `${row}/${column}/${time}`;

const MS_PER_HOUR = 3_600_000;

/** The step that a time belongs to. */
export const toStep = (ms: number, stepHours: StepHours): number =>
  Math.floor(ms / (stepHours * MS_PER_HOUR));

/** The time at which a step begins, in milliseconds. */
const toStepMs = (step: number, stepHours: StepHours): number => step * stepHours * MS_PER_HOUR;

/** The day on which a step begins, as 2026-05-02. */
export const toStepDay = (step: number, stepHours: StepHours): string =>
  new Date(toStepMs(step, stepHours)).toISOString().slice(0, 10);

/** Raised when older programs could no longer read a cube. */
const FORMAT = 1;

/** The attributes of a cube's group. */
interface CubeAttributes {
  readonly format: number;
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  /** Absent in cubes that were made before there were forecasts. */
  readonly kind?: CubeKind;
  readonly runMs?: number | null;
  readonly chunkSide: number;
  readonly firstStep: number;
  readonly lastStep: number;
  readonly sources: Readonly<Record<string, string>>;
}

type Reference = string | readonly [path: string, offset: number, length: number];

/**
 * Writes a cube as a reference file: the documents of a Zarr group of version 3, and for each chunk a range of a
 * file. Programs that read such files (fsspec, kerchunk, VirtualiZarr) see an ordinary Zarr group.
 */
export function encodeManifest(state: CubeState): string {
  const { grid, stepHours, kind, runMs, firstStep, lastStep, chunkSide } = state;
  const origin = Math.floor(firstStep / CHUNK_STEPS);
  const length = lastStep - origin * CHUNK_STEPS + 1;
  const refs: Record<string, Reference> = {};
  const swath: CubeAttributes = {
    format: FORMAT,
    grid,
    stepHours,
    kind,
    runMs,
    chunkSide,
    firstStep,
    lastStep,
    sources: Object.fromEntries(state.sources),
  };
  refs['zarr.json'] = JSON.stringify({
    zarr_format: 3,
    node_type: 'group',
    attributes: { Conventions: 'CF-1.8', swath },
  });
  const axis = (name: string, values: Float64Array, attributes: Readonly<Record<string, string>>): void => {
    const document = toArrayDocument([values.length], [values.length], {
      type: 'float64',
      names: [name],
      fill: 'NaN',
      codecs: [BYTES],
      attributes,
    });
    refs[`${name}/zarr.json`] = document;
    refs[`${name}/c/0`] = `base64:${Buffer.from(values.buffer).toString('base64')}`;
  };
  const count = (size: number, of: (i: number) => number): Float64Array =>
    Float64Array.from({ length: size }, (_, i) => of(i));
  axis(
    'latitude',
    count(grid.height, (i) => grid.north - i * grid.latStep),
    {
      standard_name: 'latitude',
      units: 'degrees_north',
    },
  );
  axis(
    'longitude',
    count(grid.width, (i) => grid.west + i * grid.lonStep),
    {
      standard_name: 'longitude',
      units: 'degrees_east',
    },
  );
  axis(
    'time',
    count(length, (i) => origin * CHUNK_STEPS + i),
    {
      standard_name: 'time',
      units: `${stepHours === 24 ? 'days' : 'hours'} since 1970-01-01 00:00:00`,
      calendar: 'proleptic_gregorian',
    },
  );
  for (const [name, { units, longName, isStatic, chunks }] of state.variables) {
    refs[`${name}/zarr.json`] = toArrayDocument(
      [grid.height, grid.width, isStatic ? 1 : length],
      [chunkSide, chunkSide, CHUNK_STEPS],
      {
        type: 'float32',
        // A field for all times is the first of a chunk that is longer than its array.
        names: ['latitude', 'longitude', isStatic ? STATIC_AXIS : 'time'],
        fill: 'NaN',
        codecs: [BYTES, { name: 'zstd', configuration: { level: 3, checksum: true } }],
        attributes: { units, long_name: longName },
      },
    );
    for (const [key, { path, offset, length: size }] of chunks) {
      const [row, column, time] = key.split('/').map(Number) as [number, number, number];
      refs[`${name}/c/${row}/${column}/${isStatic ? time : time - origin}`] = [path, offset, size];
    }
  }
  return JSON.stringify({ version: 1, refs });
}

/** Name of the dimension of length 1 of variables that do not change with time. */
const STATIC_AXIS = 'always';

const BYTES = { name: 'bytes', configuration: { endian: 'little' } } as const;

interface ArrayDocument {
  readonly type: string;
  readonly names: readonly string[];
  readonly fill: string;
  readonly codecs: readonly unknown[];
  readonly attributes: Readonly<Record<string, string>>;
}

const toArrayDocument = (
  shape: readonly number[],
  chunkShape: readonly number[],
  { type, names, fill, codecs, attributes }: ArrayDocument,
): string =>
  JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: fill,
    codecs,
    attributes,
    dimension_names: names,
  });

/** Paths that a manifest may name: those that a writer makes. */
const PATH = /^chunks\/[0-9a-f]{32}$/;
const CHUNK = /^([\w-]+)\/c\/(\d+)\/(\d+)\/(\d+)$/;

/** Reads what `encodeManifest` has written; anything but that is a damaged cube. */
export function parseManifest(text: string): CubeState {
  try {
    const { refs } = JSON.parse(text) as { readonly refs: Readonly<Record<string, Reference>> };
    const { attributes } = JSON.parse(String(refs['zarr.json'])) as { attributes: { swath: CubeAttributes } };
    const { format, grid, stepHours, kind, runMs, chunkSide, firstStep, lastStep, sources } =
      attributes.swath;
    if (format !== FORMAT) throw new Error(`format ${format}`);
    const origin = Math.floor(firstStep / CHUNK_STEPS);
    const variables = new Map<string, VariableState & { readonly chunks: Map<string, ChunkRange> }>();
    for (const [key, reference] of Object.entries(refs)) {
      const name = /^([\w-]+)\/zarr\.json$/.exec(key)?.[1];
      if (name === undefined || AXES.has(name)) continue;
      const document = JSON.parse(String(reference)) as {
        readonly attributes: { readonly units: string; readonly long_name: string };
        readonly dimension_names: readonly string[];
      };
      const { units, long_name: longName } = document.attributes;
      const isStatic = document.dimension_names.at(-1) === STATIC_AXIS;
      variables.set(name, { units, longName, isStatic, chunks: new Map() });
    }
    for (const [key, reference] of Object.entries(refs)) {
      const match = CHUNK.exec(key);
      if (match === null) continue;
      const [, name, row, column, time] = match;
      const [path, offset, length] = reference as readonly [string, number, number];
      if (!PATH.test(path)) throw new Error(`a path ${path}`);
      const range: ChunkRange = { path, offset, length };
      const variable = variables.get(name!)!;
      const number = Number(time) + (variable.isStatic ? 0 : origin);
      variable.chunks.set(toChunkKey(Number(row), Number(column), number), range);
    }
    return {
      grid,
      stepHours,
      kind: kind ?? 'history',
      runMs: runMs ?? null,
      chunkSide,
      variables,
      firstStep,
      lastStep,
      sources: new Map(Object.entries(sources)),
    };
  } catch (cause) {
    throw sourceBroken(
      'cube-damaged',
      'The manifest of a data cube is damaged; remove the cube and ingest it again.',
      {
        cause,
      },
    );
  }
}

const AXES: ReadonlySet<string> = new Set(['latitude', 'longitude', 'time']);
