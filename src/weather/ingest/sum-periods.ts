import type { CubeGrid, Cubes, GridVariable } from '../../cubes/index.ts';
import { BATCH_BYTES, readFields, readSeries, toSpacingMs, toStep } from '../../cubes/index.ts';
import { makeLru } from '../../lru.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import { internal, unsupported } from '../errors.ts';
import type { WeatherVariable } from '../weather-series.ts';

/** From when a sum counts: the step before its time, midnight of UTC, or the start of the model run. */
export type Accumulation = 'hour' | 'day' | 'run';

/** The period of each time of a variable, and how far apart the ends of one sum may be. */
export interface SumPeriods {
  readonly startsMs: readonly number[];
  /** Times between two totals of one sum that are told apart; longer ones are gaps. */
  readonly spansMs: readonly number[];
}

/** Steps of models; a time of two hours between totals means that one of them is missing. */
const MODEL_SPANS_MS = [1, 3, 6, 12].map((hours) => hours * HOUR_MS);

interface PeriodOptions {
  /** As the caller says it; null to find out. */
  readonly stated: Accumulation | null;
  readonly runMs: number | null;
  /** The numbers are amounts a second: each is the mean of its own step. */
  readonly isRate: boolean;
  /** Name of the file. */
  readonly fileName: string;
}

/** Finds the periods of the sums of a variable: as the file says them, as the caller does, or by the values. */
export async function findSumPeriods(variable: GridVariable, options: PeriodOptions): Promise<SumPeriods> {
  const { timesMs, startsMs } = variable;
  if (startsMs !== undefined && options.stated === null) return { startsMs, spansMs: MODEL_SPANS_MS };
  const spacingMs = toSpacingMs(timesMs);
  const spansMs = spacingMs === null ? MODEL_SPANS_MS : [spacingMs];
  const found = options.isRate ? 'hour' : (options.stated ?? (await detect(variable, options)));
  return { startsMs: timesMs.map((ms) => toStart(ms, found, { ...options, spacingMs })), spansMs };
}

function toStart(
  endMs: number,
  accumulation: Accumulation,
  { runMs, spacingMs }: { readonly runMs: number | null; readonly spacingMs: number | null },
): number {
  if (accumulation === 'hour') return endMs - (spacingMs ?? HOUR_MS);
  // The sum at midnight is that of the whole day before.
  if (accumulation === 'day') return Math.floor((endMs - 1) / DAY_MS) * DAY_MS;
  if (runMs === null)
    throw unsupported(
      'no-run',
      'The sums of the file count from the start of the model run, which the file does not state; pass --run.',
    );
  return runMs;
}

/** How many days are read to detect whether sums start again each day. */
const DAYS_READ = 3;
/** Totals of a day that must follow each other to tell anything. */
const MIN_TOTALS = 3;

async function detect(variable: GridVariable, { runMs, fileName }: PeriodOptions): Promise<Accumulation> {
  if (variable.method === 'sum') return 'hour';
  const text = `${fileName} ${variable.longName}`;
  if (/era5[-_ ]?land/i.test(text)) return 'day';
  if (/era5/i.test(text)) return 'hour';
  const byDay = [
    ...Map.groupBy(variable.timesMs.keys(), (i) => Math.floor((variable.timesMs[i]! - 1) / DAY_MS)).values(),
  ].filter((indices) => indices.length >= MIN_TOTALS);
  let isGrowing = false;
  let last: Float32Array | null = null;
  /** Whether no sum is smaller than the last one of the day before. */
  let isUnbroken = true;
  for (const indices of byDay.slice(0, DAYS_READ)) {
    const sorted = indices.toSorted((one, other) => variable.timesMs[one]! - variable.timesMs[other]!);
    for (const [i, index] of sorted.entries()) {
      const field = await variable.readField(index);
      if (last !== null) {
        const change = compare(last, field);
        if (change === 'smaller' && i > 0) return 'hour';
        if (change === 'smaller') isUnbroken = false;
        if (change === 'larger' && i > 0) isGrowing = true;
      }
      last = field;
    }
  }
  // Without a drop of rain in them all three mean the same.
  if (!isGrowing) return 'hour';
  return isUnbroken && runMs !== null ? 'run' : 'day';
}

/** Packed numbers of one sum differ by rounding: less than this share. */
const ROUNDING = 1e-5;

function compare(before: Float32Array, after: Float32Array): 'smaller' | 'larger' | 'equal' {
  let [isLarger, max] = [false, 0];
  for (const value of before) if (value > max) max = value;
  const noise = max * ROUNDING;
  for (let i = 0; i < before.length; i++) {
    const difference = after[i]! - before[i]!;
    if (difference < -noise) return 'smaller';
    if (difference > noise) isLarger = true;
  }
  return isLarger ? 'larger' : 'equal';
}

/** A total from the start of a sum to a time. */
export interface TotalPeriod {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Totals at the edges of files, from which the next file, or the one before, makes its differences. Those of this run
 * are in memory; all are in variables of the cube that callers do not see.
 */
export interface SumTotals {
  remember(period: TotalPeriod, total: Float32Array): void;
  /** Periods that end within half a day of a time, without that time itself. */
  findNear(endMs: number): Promise<readonly TotalPeriod[]>;
  /** One that was found; the caller must not change it. */
  read(period: TotalPeriod): Promise<Float32Array>;
}

/** Longest time between two totals of a model. */
const NEAR_MS = 12 * HOUR_MS;

/** Names of the variables that hold totals, and the hours over which they count. */
export const toTotalNames = (variable: WeatherVariable) => ({
  total: `_${variable}Total`,
  hours: `_${variable}Hours`,
});

/** A total is stored in the last hour that it counts. */
export const toTotalStep = (endMs: number): number => toStep(endMs - HOUR_MS, 1);

interface Known {
  readonly period: TotalPeriod;
  readonly total: Float32Array;
}

/** Totals of one variable of one cube. */
export type OpenTotals = (cube: string, variable: WeatherVariable, grid: CubeGrid) => SumTotals;

/** Builds the totals of a run of ingest. */
export function makeOpenTotals(cubes: Cubes): OpenTotals {
  // As much as waits to be written: what has left the memory is in the cube.
  const recent = makeLru<Known>({ max: BATCH_BYTES });
  /** Which of them there are. */
  const periods = new Map<string, TotalPeriod[]>();
  return (cube, variable, grid) => {
    const of = `${cube} ${variable}`;
    const toKey = ({ startMs, endMs }: TotalPeriod): string => `${of} ${startMs} ${endMs}`;
    const names = toTotalNames(variable);
    const isNear = (one: TotalPeriod, endMs: number): boolean =>
      one.endMs !== endMs && Math.abs(one.endMs - endMs) <= NEAR_MS;

    const findStored = async (endMs: number): Promise<readonly TotalPeriod[]> => {
      const found = await cubes.find(cube);
      if (found?.stepHours !== 1) return [];
      // The hours are the same in all cells, so that the first one tells them.
      const where = { type: 'Point', coordinates: [grid.west, grid.north] } as const;
      const firstStep = toTotalStep(endMs - NEAR_MS);
      const lastStep = toTotalStep(endMs + NEAR_MS);
      const request = { variable: names.hours, where, firstStep, lastStep };
      const { means } = await readSeries(cubes, cube, request).catch((error: unknown) => {
        // Without a sum that goes on there is no such variable.
        if (error instanceof Error && 'code' in error && error.code === 'unknown-variable')
          return { means: new Float64Array() };
        throw error;
      });
      return [...means].flatMap((hours, i): readonly TotalPeriod[] => {
        const end = (firstStep + i + 1) * HOUR_MS;
        return Number.isNaN(hours) ? [] : [{ startMs: end - hours * HOUR_MS, endMs: end }];
      });
    };

    return {
      remember(period, total) {
        recent.set(toKey(period), { period, total }, total.byteLength);
        const all = periods.get(of) ?? [];
        if (!all.some((one) => toKey(one) === toKey(period))) periods.set(of, [...all, period]);
      },
      async findNear(endMs) {
        const all = [...(periods.get(of) ?? []), ...(await findStored(endMs))];
        const near = all.filter((one) => isNear(one, endMs));
        return [...new Map(near.map((one) => [toKey(one), one])).values()];
      },
      async read(period) {
        const known = recent.get(toKey(period));
        if (known !== undefined) return known.total;
        const steps = [toTotalStep(period.endMs)];
        const [total] = (await readFields(cubes, cube, { variable: names.total, steps })) ?? [];
        if (total === undefined) throw internal('no-total', `The data cube ${cube} has lost a total.`);
        return total;
      },
    };
  };
}
