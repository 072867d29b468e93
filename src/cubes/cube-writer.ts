import { randomBytes } from 'node:crypto';
import type { OutputFile } from '../files/index.ts';
import type { ChunkRange, CubeKind, CubeState, CubeVariable, StepHours, VariableState } from './cube.ts';
import { CHUNK_STEPS, encodeManifest, toChunkKey } from './cube.ts';
import type { CubeFiles, CubeReader } from './cube-files.ts';
import { packChunk, toChunkSide } from './cube-files.ts';
import type { CubeGrid } from './cube-grid.ts';
import { isSameGrid } from './cube-grid.ts';
import { conflict, internal } from './errors.ts';

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
  /** History if it is not said. */
  readonly kind?: CubeKind;
  /** When the model run of a forecast began. */
  readonly runMs?: number | null;
}

/** Folder of the files of chunks. */
const CHUNKS = 'chunks';
/** Chunks that are packed and written at the same time: as many as Node has threads for it. */
const AT_ONCE = 4;

/** Where a cube is written. */
interface WriterDeps {
  readonly files: CubeFiles;
  readonly reader: CubeReader;
}

/** Opens a cube for writing; an existing one must have the same grid and steps. */
export async function openCubeWriter(
  cube: string,
  { grid, stepHours, kind = 'history', runMs = null }: CubePlan,
  { files, reader }: WriterDeps,
): Promise<CubeWriter> {
  const found = await reader.readState(cube, 'new');
  if (found !== null) checkSamePlan(found.state, { grid, stepHours, kind, runMs });
  let stamp = found?.stamp ?? null;
  let state: CubeState = found?.state ?? {
    grid,
    stepHours,
    kind,
    runMs,
    chunkSide: toChunkSide(grid),
    variables: new Map(),
    firstStep: Number.POSITIVE_INFINITY,
    lastStep: Number.NEGATIVE_INFINITY,
    sources: new Map(),
  };
  await files.sweep(cube, listPaths(state));
  // Files of the previous state, which readers may still use.
  let unnamed: readonly string[] = [];
  return {
    async write(added, sources) {
      const before = state;
      let [next, changed] = [before, 0];
      for (const one of added) {
        const result = await mergeFields(cube, next, one, { files, reader });
        next = result.state;
        changed += result.changed;
      }
      const isNew = [...sources].some(([name, stamped]) => before.sources.get(name) !== stamped);
      if (changed === 0 && !isNew && next.lastStep === before.lastStep && next.firstStep === before.firstStep)
        return 0;
      next = { ...next, sources: new Map([...before.sources, ...sources]) };
      if (next.lastStep < next.firstStep) {
        // There is no time yet that it covers; a field for all times waits for one.
        state = { ...next, sources: before.sources };
        return 0;
      }
      stamp = await files.replaceManifest(cube, encodeManifest(next), stamp);
      state = next;
      reader.remember(cube, { stamp, state });
      // Readers that hold the manifest before this one still find its chunks; older ones read the manifest again.
      await files.removeFiles(cube, unnamed);
      const named = listPaths(next);
      unnamed = [...listPaths(before)].filter((path) => !named.has(path));
      return changed;
    },
  };
}

/** Files of chunks that a state names. */
function listPaths({ variables }: CubeState): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { chunks } of variables.values()) for (const { path } of chunks.values()) paths.add(path);
  return paths;
}

/** Throws when a file does not fit a cube. */
export function checkSamePlan(
  state: CubePlan,
  { grid, stepHours, kind = 'history', runMs = null }: CubePlan,
): void {
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
  if ((state.kind ?? 'history') !== kind || (state.runMs ?? null) !== runMs)
    throw conflict(
      'cube-kind',
      `The data cube holds a ${state.kind ?? 'history'}, the file is of a ${kind} or of another model run. Ingest it under another --name.`,
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
  cube: string,
  state: CubeState,
  { variable, about, fields }: CubeFields,
  deps: WriterDeps,
): Promise<Merged> {
  const { units, longName, isStatic = false } = about;
  const known: VariableState = state.variables.get(variable) ?? {
    units,
    longName,
    isStatic,
    chunks: new Map(),
  };
  if (known.isStatic !== isStatic || (isStatic && fields.some(({ step }) => step !== 0)))
    throw internal('cube-static', `The variable ${variable} has one field, that of step 0, or it has many.`);
  const chunks = new Map(known.chunks);
  let changed = 0;
  for (const [time, some] of Map.groupBy(fields, ({ step }) => Math.floor(step / CHUNK_STEPS))) {
    const added = await mergeTime(cube, state, { ...deps, known, time, fields: some });
    for (const [key, range] of added) chunks.set(key, range);
    changed += added.size;
  }
  // A static field does not change the covered time.
  const steps = isStatic ? [] : fields.map(({ step }) => step);
  return {
    changed,
    state: {
      ...state,
      variables: new Map(state.variables).set(variable, {
        units: known.units,
        longName: known.longName,
        isStatic: known.isStatic,
        chunks,
      }),
      firstStep: steps.reduce((min, step) => Math.min(min, step), state.firstStep),
      lastStep: steps.reduce((max, step) => Math.max(max, step), state.lastStep),
    },
  };
}

interface TimeMerge extends WriterDeps {
  readonly known: VariableState;
  readonly time: number;
  readonly fields: CubeFields['fields'];
}

/**
 * Writes the chunks of one stretch of time that change, into one new file. Days that are added later change all of them
 * again, so that the file is then no longer named and deleted whole.
 */
async function mergeTime(
  cube: string,
  state: CubeState,
  { known, time, fields, files, reader }: TimeMerge,
): Promise<ReadonlyMap<string, ChunkRange>> {
  const { grid, chunkSide } = state;
  const path = `${CHUNKS}/${randomBytes(16).toString('hex')}`;
  const added = new Map<string, ChunkRange>();
  const [across, down] = [Math.ceil(grid.width / chunkSide), Math.ceil(grid.height / chunkSide)];
  let [next, end] = [0, 0];
  const work = async (file: OutputFile): Promise<void> => {
    while (next < across * down) {
      const [row, column] = [Math.floor(next / across), next % across];
      next += 1;
      const key = toChunkKey(row, column, time);
      const old = known.chunks.get(key);
      const readOld = async () => (old === undefined ? null : reader.readChunk(cube, state, old));
      const values = await mergeChunk({ grid, chunkSide, row, column, fields, readOld });
      if (values === null) continue;
      const bytes = await packChunk(values);
      const offset = end;
      end += bytes.length;
      added.set(key, { path, offset, length: bytes.length });
      await file.write(bytes, offset);
    }
  };
  await files.writeFile(cube, path, async (file) => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(file)));
    return added.size > 0;
  });
  return added;
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
async function mergeChunk({
  grid,
  chunkSide,
  row,
  column,
  fields,
  readOld,
}: ChunkMerge): Promise<Float32Array | null> {
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
