import { relative } from 'node:path';
import { isSwathError } from '../../errors.ts';
import type { GridFile, GridVariable } from '../files/grid-file.ts';
import type { OpenGridDeps } from '../files/open-grid-file.ts';
import { openGridFile } from '../files/open-grid-file.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import type { StepHours } from '../store/cube.ts';
import { toStep } from '../store/cube.ts';
import type { CubeFields, CubePlan, CubeWriter } from '../store/cube-writer.ts';
import { checkSamePlan } from '../store/cube-writer.ts';
import type { Cubes } from '../store/cubes.ts';
import type { FoundGrid } from './list-grid-files.ts';
import { listGridFiles } from './list-grid-files.ts';
import type { VariableRule } from './variable-rule.ts';
import { findVariable } from './variable-rule.ts';

/** What became of a file. */
export interface GridFileReport {
  readonly file: string;
  readonly outcome: 'ingested' | 'unchanged' | 'broken';
  /** Fields that were read. */
  readonly fields?: number;
  readonly code?: string;
  readonly reason?: string;
}

/** What became of a run. */
export interface GridReport {
  readonly cube: string;
  readonly files: readonly GridFileReport[];
  readonly totals: { readonly ingested: number; readonly unchanged: number; readonly broken: number };
  /** True when a stop ended it before the last file. */
  readonly stopped: boolean;
}

/** What to ingest, and into which cube. */
export interface IngestGridsOptions extends OpenGridDeps {
  /** Absolute path of a file or a folder. */
  readonly from: string;
  readonly cubes: Cubes;
  readonly cube: string;
  readonly rules: readonly VariableRule[];
  /** Name of the variable of the first rule; null to find it. */
  readonly variable?: string | null;
  /** All that decides how numbers become values: the same file with another text is read again. */
  readonly settings?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Fields that wait to be written together: rewriting a chunk for each day would cost a hundred times as much. */
const BATCH_BYTES = 2 ** 27;

/** Puts the fields of files into a cube. What was read before and has not changed is skipped, so a stopped run is repeated. */
export async function ingestGrids(options: IngestGridsOptions): Promise<GridReport> {
  const { from, cubes, cube, settings = '', signal, onProgress, onBug } = options;
  const found = await listGridFiles(from);
  const known = await cubes.readSources(cube);
  const files: GridFileReport[] = [];
  const batch = makeBatch(options);
  let stopped = false;
  for (const [i, one] of found.entries()) {
    if (signal?.aborted) {
      stopped = true;
      break;
    }
    const file = relative(from, one.path) || one.path;
    const stamp = `${one.stamp} ${settings}`.trimEnd();
    if (known.get(one.path) === stamp) files.push({ file, outcome: 'unchanged' });
    else {
      try {
        const fields = await takeFile({ ...one, stamp }, options, batch, (share) =>
          onProgress?.((i + share) / found.length),
        );
        files.push({ file, outcome: 'ingested', fields });
      } catch (error) {
        batch.dropFile();
        if (!isSwathError(error) || error.tag === 'internal') onBug?.(error, file);
        const { code, message } = isSwathError(error)
          ? error
          : { code: 'internal', message: 'Something went wrong inside Swath.' };
        // A disk that is full ends the run; a file that is broken does not.
        if (code === 'no-space') throw error;
        files.push({ file, outcome: 'broken', code, reason: message });
      }
    }
    onProgress?.((i + 1) / found.length);
  }
  await batch.flush();
  const count = (outcome: GridFileReport['outcome']): number =>
    files.filter((line) => line.outcome === outcome).length;
  const totals = { ingested: count('ingested'), unchanged: count('unchanged'), broken: count('broken') };
  return { cube, files, totals, stopped };
}

async function takeFile(
  { path, stamp }: FoundGrid,
  { rules, variable = null, open, hdf5 }: IngestGridsOptions,
  batch: Batch,
  onShare: (share: number) => void,
): Promise<number> {
  const file: GridFile = await openGridFile(path, { open, hdf5 });
  try {
    let fields = 0;
    const chosen = chooseVariables(file, rules, variable);
    const total = chosen.reduce((sum, { found }) => sum + found.timesMs.length, 0);
    for (const { rule, found } of chosen) {
      const convert = rule.makeConvert(found.units);
      const stepHours = await batch.open(found.grid, toStepHours(found.timesMs));
      for (const [index, ms] of found.timesMs.entries()) {
        const values = await found.readField(index);
        convert(values);
        await batch.add(rule, toStep(ms, stepHours), values);
        fields += 1;
        onShare(fields / total);
      }
    }
    await batch.endFile(path, stamp);
    return fields;
  } finally {
    await file.close();
  }
}

/** Of several rules those that fit are followed; if none fits, the first says why. */
function chooseVariables({ variables }: GridFile, rules: readonly VariableRule[], wanted: string | null) {
  const chosen: { readonly rule: VariableRule; readonly found: GridVariable }[] = [];
  let refusal: unknown = null;
  for (const [i, rule] of rules.entries()) {
    try {
      chosen.push({ rule, found: findVariable(variables, rule, i === 0 ? wanted : null) });
    } catch (error) {
      refusal ??= error;
    }
  }
  if (chosen.length === 0) throw refusal;
  return chosen;
}

/** Fields nearer than this are by hour; daily ones may be some hours off. */
const SAME_DAY_MS = 20 * 3_600_000;

/** The steps of times; null for a single one, which tells nothing. */
function toStepHours(timesMs: readonly number[]): StepHours | null {
  const sorted = timesMs.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((ms, i) => ms - sorted[i]!);
  if (gaps.length === 0) return null;
  return gaps.some((gap) => gap < SAME_DAY_MS) ? 1 : 24;
}

interface Waiting {
  readonly rule: VariableRule;
  readonly step: number;
  readonly values: Float32Array;
}

interface Batch {
  /** Opens the cube for a file of this grid; returns the steps that it has. */
  open(grid: CubeGrid, stepHours: StepHours | null): Promise<StepHours>;
  add(rule: VariableRule, step: number, values: Float32Array): Promise<void>;
  endFile(path: string, stamp: string): Promise<void>;
  /** Forgets the fields of a file that broke in the middle. */
  dropFile(): void;
  flush(): Promise<void>;
}

function makeBatch({ cubes, cube }: Pick<IngestGridsOptions, 'cubes' | 'cube'>): Batch {
  let writer: CubeWriter | null = null;
  let plan: CubePlan | null = null;
  let [whole, current]: [Waiting[], Waiting[]] = [[], []];
  let bytes = 0;
  const sources = new Map<string, string>();
  const write = async (): Promise<void> => {
    const waiting = [...whole, ...current];
    [whole, current, bytes] = [[], [], 0];
    if (writer === null || (waiting.length === 0 && sources.size === 0)) return;
    const fields = [...Map.groupBy(waiting, ({ rule }) => rule)].map(
      ([{ as, units, longName }, items]): CubeFields => ({
        variable: as,
        about: { units, longName },
        fields: items.map(({ step, values }) => ({ step, values })),
      }),
    );
    await writer.write(fields, new Map(sources));
    sources.clear();
  };
  return {
    async open(grid, stated) {
      const stepHours = stated ?? plan?.stepHours ?? (await cubes.find(cube))?.stepHours ?? 24;
      if (plan !== null) checkSamePlan(plan, { grid, stepHours });
      else {
        writer = await cubes.openWriter(cube, { grid, stepHours });
        plan = { grid, stepHours };
      }
      return stepHours;
    },
    async add(rule, step, values) {
      current.push({ rule, step, values });
      bytes += values.byteLength;
      if (bytes >= BATCH_BYTES) await write();
    },
    async endFile(path, stamp) {
      whole.push(...current);
      current = [];
      sources.set(path, stamp);
    },
    dropFile() {
      bytes -= current.reduce((sum, { values }) => sum + values.byteLength, 0);
      current = [];
    },
    flush: write,
  };
}
