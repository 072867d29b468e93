import type { Cube, GridVariable } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';

/** The name of the data cube of one model run: `gfs-20261116t06`. */
export function toRunName(name: string, runMs: number): string {
  const iso = new Date(runMs).toISOString();
  const minutes = iso.slice(14, 16);
  return `${name}-${iso.slice(0, 10).replaceAll('-', '')}t${iso.slice(11, 13)}${minutes === '00' ? '' : minutes}`;
}

/** The runs among cubes that were ingested under a name, newest first. */
export const listRuns = (cubes: readonly Cube[], name: string): readonly (Cube & { runMs: number })[] =>
  cubes
    .filter((cube): cube is Cube & { runMs: number } => {
      const { kind, runMs } = cube;
      return kind === 'forecast' && typeof runMs === 'number' && cube.name === toRunName(name, runMs);
    })
    .toSorted((one, other) => other.runMs - one.runMs);

/** Forecasts of short range that a reanalysis consists of reach this far: ERA5-Land has 24 hours. */
const REANALYSIS_MS = 24 * HOUR_MS;
/** Reanalyses are later than this: the first version of ERA5 comes after five days. */
const REANALYSIS_LAG_MS = 4 * 24 * HOUR_MS;
/** Models whose files are forecasts, in names of data sets and files. */
const FORECAST_NAME =
  /(?:^|[^a-z])(?:gfs|gefs|icon|ifs|hres|ens|aifs|arome|arpege|harmonie|hrrr|nam|rap|gem|hirlam|forecast|fcst|fc)(?:[^a-z]|$)/i;

interface KindOptions {
  /** Names of the data set and of the file. */
  readonly names: readonly string[];
  readonly nowMs: number;
}

/**
 * Whether variables are of a forecast: they say their model run, and either reach further than a reanalysis does, or
 * were made too lately to be one, or are called so.
 */
export function isForecast(variables: readonly GridVariable[], { names, nowMs }: KindOptions): boolean {
  const withRun = variables.filter(({ runsMs }) => runsMs !== undefined);
  if (withRun.length === 0) return false;
  if (names.some((name) => FORECAST_NAME.test(name))) return true;
  return withRun.some(({ timesMs, runsMs }) =>
    timesMs.some((ms, i) => ms - runsMs![i]! > REANALYSIS_MS || nowMs - runsMs![i]! < REANALYSIS_LAG_MS),
  );
}

/** A run can be used when it reaches this far: the shortest forecast that is asked for, less a step. */
const USABLE_HOURS = 69;

/** Runs that are no longer needed: older than the newest `count` that can be used. */
export function planPrune(runs: readonly (Cube & { runMs: number })[], count: number): readonly string[] {
  const toReach = ({ lastStep, runMs }: Cube & { runMs: number }): number => lastStep - runMs / HOUR_MS;
  // A model of a short range is complete when it reaches as far as its other runs.
  const farthest = runs.reduce((max, run) => Math.max(max, toReach(run)), 0);
  const usable = runs.filter((run) => toReach(run) >= Math.min(USABLE_HOURS, farthest));
  const oldest = usable.toSorted((one, other) => other.runMs - one.runMs)[count - 1];
  if (oldest === undefined) return [];
  return runs.filter(({ runMs }) => runMs < oldest.runMs).map(({ name }) => name);
}
