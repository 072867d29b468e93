import { basename, relative } from 'node:path';
import { isSwathError } from '../../errors.ts';
import type { GridFile } from '../files/grid-file.ts';
import type { OpenGridDeps } from '../files/open-grid-file.ts';
import { openGridFile } from '../files/open-grid-file.ts';
import type { Cubes } from '../store/cubes.ts';
import type { CubeBatches, StepRange } from './cube-batches.ts';
import { makeCubeBatches } from './cube-batches.ts';
import type { PlanFile } from './cube-part.ts';
import type { FoundGrid } from './list-grid-files.ts';
import { listGridFiles } from './list-grid-files.ts';

/** What became of a file. */
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

/** What became of a run. */
export interface GridReport {
  /** Name that was asked for; runs of forecasts have names that begin with it. */
  readonly cube: string;
  /** Data cubes that fields were put into. */
  readonly cubes: readonly string[];
  readonly files: readonly GridFileReport[];
  readonly totals: { readonly ingested: number; readonly unchanged: number; readonly broken: number };
  /** The steps of the fields that each of them has got. */
  readonly steps?: Readonly<Record<string, StepRange>>;
  /** True when a stop ended it before the last file. */
  readonly stopped: boolean;
}

/** What to ingest, and into which cube. */
export interface IngestGridsOptions extends OpenGridDeps {
  /** Absolute path of a file or a folder. */
  readonly from: string;
  readonly cubes: Cubes;
  readonly cube: string;
  readonly plan: PlanFile;
  /** The files to read; those at `from` unless told. */
  readonly list?: () => Promise<readonly FoundGrid[]>;
  /** Files that are stored, with their stamps; those of the cube unless told. */
  readonly readKnown?: () => Promise<ReadonlyMap<string, string>>;
  /** All that decides how numbers become values: the same file with another text is read again. */
  readonly settings?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts the fields of files into a cube. What was read before and has not changed is skipped, so a stopped run is repeated. */
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
