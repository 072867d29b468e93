import type { CubeGrid, Cubes } from '../../cubes/index.ts';
import { BATCH_BYTES, readFields, readSeries, toStep } from '../../cubes/index.ts';
import { internal } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import { HOUR_MS } from '../../units.ts';
import type { WeatherVariable } from '../series/weather-series.ts';

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
