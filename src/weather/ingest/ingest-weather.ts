import type { GridReport, IngestGridsOptions } from '../../cubes/index.ts';
import { ingestGrids } from '../../cubes/index.ts';
import { listRuns, planPrune } from './forecast-runs.ts';
import type { WeatherPlanOptions } from './plan-weather.ts';
import { makeWeatherPlan } from './plan-weather.ts';

/** What to ingest, and how. */
export interface IngestWeatherOptions
  extends Omit<IngestGridsOptions, 'plan' | 'readKnown' | 'settings' | 'cube'>,
    WeatherPlanOptions {}

/** What became of a run of ingest. */
export interface WeatherReport extends GridReport {
  /** Data cubes of older model runs that were removed. */
  readonly removed: readonly string[];
}

/** Runs of a forecast that are stored unless told: a day of a model that runs every six hours. */
export const DEFAULT_RUNS = 4;

/** Puts files of weather into data cubes: one for a history, and one for each run of a forecast. */
export async function ingestWeather(options: IngestWeatherOptions): Promise<WeatherReport> {
  const { cubes, name, kind, runMs, accumulated, runs } = options;
  const report = await ingestGrids({
    ...options,
    cube: name,
    plan: makeWeatherPlan(options),
    settings: [kind, runMs, accumulated].filter((setting) => setting !== null).join(' '),
    async readKnown() {
      const known = new Map(await cubes.readSources(name));
      for (const run of listRuns(await cubes.list(), name))
        for (const [file, stamp] of await cubes.readSources(run.name)) known.set(file, stamp);
      return known;
    },
  });
  // Only now: until the new run can be used the old ones answer.
  const removed = planPrune(listRuns(await cubes.list(), name), runs);
  for (const cube of removed) await cubes.remove(cube);
  return { ...report, removed };
}
