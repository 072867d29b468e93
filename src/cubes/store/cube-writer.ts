import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { conflict } from '../../errors.ts';
import { nodeFiles, writeWholeFile } from '../../formats/index.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import { isSameGrid } from '../grid/cube-grid.ts';
import { CHUNK_STEPS, packChunk, toChunkSide } from './chunk.ts';
import type { CubeVariable, StepHours } from './cube.ts';
import type { CubeReader } from './cube-reader.ts';
import { MANIFEST } from './cube-reader.ts';
import type { CubeState, VariableState } from './cube-state.ts';
import { toChunkKey } from './cube-state.ts';
import { encodeManifest } from './manifest.ts';

/** Values of one variable at some steps, each row by row from the north. */
export interface CubeFields {
  readonly variable: string;
  readonly about: CubeVariable;
  readonly fields: readonly { readonly step: number; readonly values: Float32Array }[];
}

/** Puts fields into a cube. One process at a time may write, which the caller sees to. */
export interface CubeWriter {
  /**
   * Adds fields: a number replaces what was there, a gap (NaN) does not. Readers see all of them at once, or after a
   * failure none. Returns how many chunks have changed; with 0 the cube is as it was.
   */
  write(fields: readonly CubeFields[], sources: ReadonlyMap<string, string>): Promise<number>;
}

/** What a cube is to be, if it is not there yet. */
export interface CubePlan {
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
}

/** Chunks that are packed and written at the same time: as many as Node has threads for it. */
const AT_ONCE = 4;

/** Opens a cube for writing; one that is there must have the same grid and steps. */
export async function openCubeWriter(
  folder: string,
  { grid, stepHours }: CubePlan,
  reader: CubeReader,
): Promise<CubeWriter> {
  const found = await reader.readState(folder);
  if (found !== null) checkSamePlan(found, { grid, stepHours });
  let state: CubeState = found ?? {
    grid,
    stepHours,
    chunkSide: toChunkSide(grid),
    variables: new Map(),
    firstStep: Number.POSITIVE_INFINITY,
    lastStep: Number.NEGATIVE_INFINITY,
    sources: new Map(),
  };
  await mkdir(folder, { recursive: true });
  await sweep(folder, [state]);
  return {
    async write(added, sources) {
      const before = state;
      let [next, changed] = [before, 0];
      for (const one of added) {
        const result = await mergeFields(folder, next, one, reader);
        next = result.state;
        changed += result.changed;
      }
      const isNew = [...sources].some(([name, stamp]) => before.sources.get(name) !== stamp);
      if (changed === 0 && !isNew && next.lastStep === before.lastStep && next.firstStep === before.firstStep)
        return 0;
      next = { ...next, sources: new Map([...before.sources, ...sources]) };
      // Nothing was ever put into it: then there is no time that it covers.
      if (next.lastStep < next.firstStep) return 0;
      const text = Buffer.from(encodeManifest(next));
      await writeWholeFile(join(folder, MANIFEST), (file) => file.write(text, 0), {
        files: nodeFiles,
        signal: null,
      });
      state = next;
      // Readers that hold the manifest before this one still find its chunks; older ones read the manifest again.
      await sweep(folder, [before, next]);
      return changed;
    },
  };
}

/** Throws when a file does not fit a cube. */
export function checkSamePlan(state: CubePlan, { grid, stepHours }: CubePlan): void {
  if (!isSameGrid(state.grid, grid))
    throw conflict(
      'cube-grid',
      `The file has another grid (${describe(grid)}) than the data cube (${describe(state.grid)}). Ingest it under another --name.`,
    );
  if (state.stepHours !== stepHours)
    throw conflict(
      'cube-step',
      `The file has values ${toWord(stepHours)}, the data cube ${toWord(state.stepHours)}. Ingest it under another --name.`,
    );
}

const toWord = (stepHours: StepHours): string => (stepHours === 24 ? 'by day' : 'by hour');

const describe = ({ width, height, west, north, lonStep }: CubeGrid): string =>
  `${width} × ${height} cells of ${Number(lonStep.toPrecision(4))}° from ${Number(west.toFixed(3))}, ${Number(north.toFixed(3))}`;

interface Merged {
  readonly state: CubeState;
  readonly changed: number;
}

async function mergeFields(
  folder: string,
  state: CubeState,
  { variable, about, fields }: CubeFields,
  reader: CubeReader,
): Promise<Merged> {
  const { grid, chunkSide } = state;
  const known: VariableState = state.variables.get(variable) ?? { ...about, chunks: new Map() };
  const chunks = new Map(known.chunks);
  const byTime = Map.groupBy(fields, ({ step }) => Math.floor(step / CHUNK_STEPS));
  let changed = 0;
  const mergeOne = async (row: number, column: number, time: number): Promise<void> => {
    const key = toChunkKey(row, column, time);
    const path = chunks.get(key);
    const values = await mergeChunk({
      grid,
      chunkSide,
      row,
      column,
      fields: byTime.get(time)!,
      readOld: async () => (path === undefined ? null : reader.readChunk(folder, state, path)),
    });
    if (values === null) return;
    const stored = await packChunk(values);
    const target = join(folder, stored.path);
    await mkdir(dirname(target), { recursive: true });
    await writeWholeFile(target, (file) => file.write(stored.bytes, 0), { files: nodeFiles, signal: null });
    chunks.set(key, stored.path);
    changed += 1;
  };
  const [across, down] = [Math.ceil(grid.width / chunkSide), Math.ceil(grid.height / chunkSide)];
  const waiting = (function* () {
    for (const time of byTime.keys())
      for (let i = 0; i < across * down; i++) yield { row: Math.floor(i / across), column: i % across, time };
  })();
  const work = async (): Promise<void> => {
    for (const { row, column, time } of waiting) await mergeOne(row, column, time);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const steps = fields.map(({ step }) => step);
  return {
    changed,
    state: {
      ...state,
      variables: new Map(state.variables).set(variable, { units: known.units, longName: known.longName, chunks }),
      firstStep: steps.reduce((least, step) => Math.min(least, step), state.firstStep),
      lastStep: steps.reduce((most, step) => Math.max(most, step), state.lastStep),
    },
  };
}

interface ChunkMerge {
  readonly grid: CubeGrid;
  readonly chunkSide: number;
  readonly row: number;
  readonly column: number;
  readonly fields: CubeFields['fields'];
  readonly readOld: () => Promise<Float32Array | null>;
}

/** The values of a chunk with those of the fields in it; null if nothing changes. */
async function mergeChunk({ grid, chunkSide, row, column, fields, readOld }: ChunkMerge): Promise<Float32Array | null> {
  const [top, left] = [row * chunkSide, column * chunkSide];
  const [bottom, right] = [Math.min(top + chunkSide, grid.height), Math.min(left + chunkSide, grid.width)];
  const hasValue = fields.some(({ values }) => {
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) if (!Number.isNaN(values[y * grid.width + x]!)) return true;
    return false;
  });
  if (!hasValue) return null;
  const old = await readOld();
  const merged = old?.slice() ?? new Float32Array(chunkSide * chunkSide * CHUNK_STEPS).fill(Number.NaN);
  let isChanged = false;
  for (const { step, values } of fields) {
    const at = step - Math.floor(step / CHUNK_STEPS) * CHUNK_STEPS;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const value = values[y * grid.width + x]!;
        const index = ((y - top) * chunkSide + (x - left)) * CHUNK_STEPS + at;
        if (Number.isNaN(value) || merged[index] === value) continue;
        merged[index] = value;
        isChanged = true;
      }
    }
  }
  return isChanged ? merged : null;
}

/** Deletes chunks that none of the states names: of a run that was killed, or of a cube that has moved on. */
async function sweep(folder: string, states: readonly CubeState[]): Promise<void> {
  const named = new Set(
    states.flatMap(({ variables }) => [...variables.values()].flatMap(({ chunks }) => [...chunks.values()])),
  );
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const inside = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && inside !== MANIFEST && !named.has(inside)) await rm(path, { force: true });
  }
}
