import { statSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { isSwathError } from '../errors.ts';
import { makeHdf5Thread } from '../formats/hdf5/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import type { StepHours } from './cube.ts';
import { CHUNK_STEPS } from './cube.ts';
import type { CubeFields, CubePlan, CubeWriter } from './cube-writer.ts';
import { checkSamePlan } from './cube-writer.ts';
import type { Cubes, CubesConfig, CubesLock, LockFolder } from './cubes.ts';
import { lockCubes } from './cubes.ts';
import type { GridFile } from './grid-file.ts';
import type { FoundGrid, OpenGridDeps } from './open-grid-file.ts';
import { listGridFiles, openGridFile } from './open-grid-file.ts';
import type { CubeField, CubePart, PlanFile } from './plan-rules.ts';

/** The outcome of a file. */
export interface GridFileReport {
  readonly file: string;
  readonly outcome: 'ingested' | 'unchanged' | 'broken';
  /** Fields that were read. */
  readonly fields?: number;
  /** Rows of a table that were read. */
  readonly rows?: number;
  readonly code?: string;
  readonly reason?: string;
}

/** The outcome of an ingest. */
export interface GridReport {
  /** The requested name; names of forecast runs begin with it. */
  readonly cube: string;
  /** The data cubes that got fields. */
  readonly cubes: readonly string[];
  readonly files: readonly GridFileReport[];
  readonly totals: { readonly ingested: number; readonly unchanged: number; readonly broken: number };
  /** The steps of the new fields, by cube. */
  readonly steps?: Readonly<Record<string, StepRange>>;
  /** True if it was stopped before the last file. */
  readonly stopped: boolean;
}

/** What to ingest, and into which cube. */
export interface IngestGridsOptions extends OpenGridDeps {
  /** Absolute path of a file or a folder. */
  readonly from: string;
  readonly cubes: Cubes;
  readonly cube: string;
  readonly plan: PlanFile;
  /** Lists the files to read; by default those at `from`. */
  readonly list?: () => Promise<readonly FoundGrid[]>;
  /** The stored files with their stamps; by default those of the cube. */
  readonly readKnown?: () => Promise<ReadonlyMap<string, string>>;
  /** All options that affect values: a file that was read with other settings is read again. */
  readonly settings?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts the fields of files into a cube. Unchanged files are skipped, so that a stopped ingest can be repeated. */
export async function ingestGrids(options: IngestGridsOptions): Promise<GridReport> {
  const { from, cubes, cube, settings = '', signal, onProgress, onBug } = options;
  const found = await (options.list?.() ?? listGridFiles(from));
  const known = await (options.readKnown?.() ?? cubes.readSources(cube));
  const files: GridFileReport[] = [];
  const batches = makeCubeBatches(cubes);
  let stopped = false;
  for (const [i, one] of found.entries()) {
    if (signal?.aborted) {
      stopped = true;
      break;
    }
    const file = relative(from, one.path) || one.path;
    const stamp = `${one.stamp} ${settings}`.trimEnd();
    if (one.skipped !== undefined) files.push({ file, outcome: 'broken', ...one.skipped });
    else if (known.get(one.path) === stamp) files.push({ file, outcome: 'unchanged' });
    else {
      try {
        const taken = await takeFile({ ...one, stamp }, options, batches, (share) =>
          onProgress?.((i + share) / found.length),
        );
        files.push({ file, ...taken });
      } catch (error) {
        batches.dropFile();
        if (!isSwathError(error) || error.tag === 'internal') onBug?.(error, file);
        const { code, message } = isSwathError(error)
          ? error
          : { code: 'internal', message: 'Something went wrong inside Swath.' };
        // A store that cannot be written ends the run; a file that is broken does not.
        if (isSwathError(error) && (error.tag === 'unavailable' || STORE_CODES.has(code))) throw error;
        files.push({ file, outcome: 'broken', code, reason: message });
      }
    }
    onProgress?.((i + 1) / found.length);
  }
  await batches.flush();
  const count = (outcome: GridFileReport['outcome']): number =>
    files.filter((line) => line.outcome === outcome).length;
  const totals = { ingested: count('ingested'), unchanged: count('unchanged'), broken: count('broken') };
  return { cube, cubes: batches.names(), steps: batches.steps(), files, totals, stopped };
}

/** Errors of the store: the disk or the bucket is full, or another process writes. */
const STORE_CODES: ReadonlySet<string> = new Set(['no-space', 'cubes-busy', 'lease-lost']);

type Taken = Pick<GridFileReport, 'outcome' | 'fields' | 'reason'>;

async function takeFile(
  found: FoundGrid,
  options: IngestGridsOptions,
  batches: CubeBatches,
  onShare: (share: number) => void,
): Promise<Taken> {
  const copy = await found.makeCopy?.();
  try {
    return await takeFields({ ...found, at: copy?.path ?? found.path }, options, batches, onShare);
  } finally {
    await copy?.remove();
  }
}

async function takeFields(
  { path, at, stamp }: FoundGrid & { readonly at: string },
  { plan, open, hdf5 }: IngestGridsOptions,
  batches: CubeBatches,
  onShare: (share: number) => void,
): Promise<Taken> {
  const file: GridFile = await openGridFile(at, { open, hdf5 });
  try {
    const planned = await plan(file, basename(path));
    if ('skip' in planned) return { outcome: 'unchanged', reason: planned.skip };
    const total = planned.parts.reduce((sum, { fieldCount }) => sum + fieldCount, 0);
    let fields = 0;
    const onField = (): void => {
      fields += 1;
      onShare(Math.min(1, fields / total));
    };
    for (const part of planned.parts) {
      const stepHours = await batches.open(part);
      for await (const field of part.read(stepHours, onField)) await batches.add(part.cube, field);
    }
    batches.endFile(path, stamp);
    return { outcome: 'ingested', fields };
  } finally {
    await file.close();
  }
}

/** Where an ingest into data cubes reads and writes. */
interface GridPlaces {
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
  readonly from: string;
}

/** Runs an ingest with everything that opens files of fields, while no other process writes data cubes. */
export async function withGridFiles<T>(
  { config, lockFolder, from }: GridPlaces,
  work: (deps: Pick<IngestGridsOptions, 'open' | 'hdf5'>, lock: CubesLock) => Promise<T>,
): Promise<T> {
  const lock = await lockCubes(config, lockFolder);
  const hdf5 = makeHdf5Thread();
  // Values are copied, so that the files may be anywhere; but nothing outside the given folder is read.
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const root = isFolder ? from : dirname(from);
  const open = makeOpenSource({
    dataDir: root,
    subject: { file: 'the file', server: 'the server of the file' },
  });
  try {
    const files = {
      open: (path: string) => open(toFileHref(path, { dataDir: root, folders: [] })),
      hdf5,
    };
    return await work(files, lock);
  } finally {
    await hdf5.close();
    await lock.release();
  }
}

/** Fields that wait to be written together: rewriting a chunk for each day would cost a hundred times as much. */
export const BATCH_BYTES = 2 ** 27;
/** The most that waits for the end of a chunk, which is then written once. */
const MAX_BATCH_BYTES = 3 * BATCH_BYTES;

/** Collects fields of files, and writes many at once, into one cube or several. */
interface CubeBatches {
  /** Opens the cube of a part; returns the steps that it has. */
  open(part: CubePart): Promise<StepHours>;
  add(cube: string, field: CubeField): Promise<void>;
  /** Marks a file as complete, with its stamp. */
  endFile(path: string, stamp: string): void;
  /** Drops the fields of a file that broke in the middle. */
  dropFile(): void;
  flush(): Promise<void>;
  /** Cubes that were opened. */
  readonly names: () => readonly string[];
  /** The steps of the new fields, by cube. */
  readonly steps: () => Readonly<Record<string, StepRange>>;
}

/** Steps from the first to the last. */
interface StepRange {
  readonly firstStep: number;
  readonly lastStep: number;
}

interface Waiting {
  readonly writer: CubeWriter;
  readonly plan: CubePlan;
  /** Fields of whole files, and of the file at hand. */
  whole: CubeField[];
  current: CubeField[];
  readonly sources: Map<string, string>;
}

/** Builds the batches of a run. */
function makeCubeBatches(cubes: Cubes): CubeBatches {
  const waiting = new Map<string, Waiting>();
  /** Cubes that the file at hand has fields for. */
  let touched = new Set<string>();
  let bytes = 0;
  const ranges = new Map<string, StepRange>();
  const write = async (): Promise<void> => {
    bytes = 0;
    for (const one of waiting.values()) {
      const fields = [...one.whole, ...one.current];
      const sources = new Map(one.sources);
      [one.whole, one.current] = [[], []];
      one.sources.clear();
      if (fields.length > 0 || sources.size > 0) await one.writer.write(groupFields(fields), sources);
    }
  };
  return {
    async open({ cube, grid, stepHours: stated, kind, runMs }) {
      const open = waiting.get(cube);
      const stepHours = stated ?? open?.plan.stepHours ?? (await cubes.find(cube))?.stepHours ?? 24;
      const plan: CubePlan = { grid, stepHours, kind, runMs };
      touched.add(cube);
      if (open !== undefined) checkSamePlan(open.plan, plan);
      else {
        const writer = await cubes.openWriter(cube, plan);
        waiting.set(cube, { writer, plan, whole: [], current: [], sources: new Map() });
      }
      return stepHours;
    },
    async add(cube, field) {
      waiting.get(cube)!.current.push(field);
      if (field.about.isStatic !== true) {
        const { firstStep, lastStep } = ranges.get(cube) ?? { firstStep: field.step, lastStep: field.step };
        ranges.set(cube, {
          firstStep: Math.min(firstStep, field.step),
          lastStep: Math.max(lastStep, field.step),
        });
      }
      bytes += field.values.byteLength;
      const isEndOfChunk = (field.step + 1) % CHUNK_STEPS === 0;
      if (bytes >= (isEndOfChunk ? BATCH_BYTES : MAX_BATCH_BYTES)) await write();
    },
    endFile(path, stamp) {
      for (const cube of touched) {
        const one = waiting.get(cube)!;
        one.whole.push(...one.current);
        one.current = [];
        one.sources.set(path, stamp);
      }
      touched = new Set();
    },
    dropFile() {
      touched = new Set();
      for (const one of waiting.values()) {
        bytes -= one.current.reduce((sum, { values }) => sum + values.byteLength, 0);
        one.current = [];
      }
    },
    flush: write,
    names: () => [...waiting.keys()],
    steps: () => Object.fromEntries(ranges),
  };
}

const groupFields = (fields: readonly CubeField[]): readonly CubeFields[] =>
  [...Map.groupBy(fields, ({ variable }) => variable)].map(([variable, items]) => ({
    variable,
    about: items[0]!.about,
    fields: items.map(({ step, values }) => ({ step, values })),
  }));
