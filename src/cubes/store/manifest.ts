import { sourceBroken } from '../../errors.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import type { ChunkRange } from './chunk.ts';
import { CHUNK_STEPS } from './chunk.ts';
import type { CubeKind, StepHours } from './cube.ts';
import type { CubeState, VariableState } from './cube-state.ts';
import { toChunkKey } from './cube-state.ts';

/** Raised when older programs could no longer read a cube. */
const FORMAT = 1;

/** What a cube says about itself in the attributes of its group. */
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
