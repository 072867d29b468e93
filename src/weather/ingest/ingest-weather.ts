import type {
  Cube,
  CubeKind,
  CubePart,
  Cubes,
  GridReport,
  GridVariable,
  IngestGridsOptions,
  PlanFile,
  StepHours,
} from '../../cubes/index.ts';
import { ingestGrids, isDaily, toStepHours } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import { conflict, unsupported } from '../errors.ts';
import type { Accumulation, OpenTotals } from './sum-periods.ts';
import { makeOpenTotals } from './sum-periods.ts';
import type { FoundInputs } from './weather-inputs.ts';
import { findInputs } from './weather-inputs.ts';
import { planVariables } from './weather-parts.ts';

/** What to ingest, and how. */
export interface IngestWeatherOptions
  extends Omit<IngestGridsOptions, 'plan' | 'readKnown' | 'settings' | 'cube'>,
    WeatherPlanOptions {}

/** The result of an ingest. */
export interface WeatherReport extends GridReport {
  /** Data cubes of older model runs that were removed. */
  readonly removed: readonly string[];
}

/** How many runs of a forecast are stored by default: a day of a model that runs every six hours. */
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
  // Removed last: until the new run can be used the old ones answer.
  const removed = planPrune(listRuns(await cubes.list(), name), runs);
  for (const cube of removed) await cubes.remove(cube);
  return { ...report, removed };
}

/** How files of weather become cubes. */
interface WeatherPlanOptions {
  readonly cubes: Cubes;
  /** Name of the data cube; runs of forecasts have their time after it. */
  readonly name: string;
  /** Null to detect it. */
  readonly kind: CubeKind | null;
  /** When the model run began, if the files do not state it. */
  readonly runMs: number | null;
  /** When sums begin; null to find out. */
  readonly accumulated: Accumulation | null;
  /** How many runs are stored. */
  readonly runs: number;
  readonly nowMs: number;
}

/** Plans files of weather. */
function makeWeatherPlan(options: WeatherPlanOptions): PlanFile {
  const openTotals = makeOpenTotals(options.cubes);
  return async ({ variables: all }, fileName) => {
    const { name, nowMs } = options;
    const variables = all.map((variable) => withRun(variable, options.runMs));
    const known = [...findInputs(variables).values()].flat();
    if (known.length === 0) {
      const listed = all.map((one) => one.name || 'one without a name').join(', ');
      throw unsupported('no-variable', `None of the variables is known weather: ${listed.slice(0, 300)}.`);
    }
    const kind =
      options.kind ?? (isForecast(known, { names: [name, fileName], nowMs }) ? 'forecast' : 'history');
    const context = { ...options, openTotals, fileName };
    if (kind === 'history') {
      const parts = await planRun(variables, context, { kind, cube: name, runMs: null });
      return { parts };
    }
    return planForecast(variables, context);
  };
}

interface Context extends WeatherPlanOptions {
  readonly openTotals: OpenTotals;
  readonly fileName: string;
}

const withRun = (variable: GridVariable, runMs: number | null): GridVariable =>
  runMs === null ? variable : { ...variable, runsMs: variable.timesMs.map(() => runMs) };

/** One cube for each run in the file; a run that would be removed at once is not read. */
async function planForecast(variables: readonly GridVariable[], context: Context) {
  const { cubes, name, runs } = context;
  const found = [...new Set(variables.flatMap(({ runsMs }) => runsMs ?? []))].toSorted(
    (one, other) => one - other,
  );
  if (found.length === 0)
    throw unsupported('no-run', 'The file does not state when its model run began; pass --run.');
  const stored = listRuns(await cubes.list(), name);
  const wanted = found.filter((runMs) => stored.filter((run) => run.runMs > runMs).length < runs);
  if (wanted.length === 0) return { skip: `of a run that is older than the last ${runs}` };
  const parts: CubePart[] = [];
  for (const runMs of wanted) {
    const of = variables
      .map((variable) => toRunOnly(variable, runMs))
      .filter(({ timesMs }) => timesMs.length > 0);
    const cube = toRunName(name, runMs);
    parts.push(...(await planRun(of, context, { kind: 'forecast', cube, runMs })));
  }
  return { parts };
}

/** The times of a variable that belong to one run; a variable without a run belongs to each. */
function toRunOnly(variable: GridVariable, runMs: number): GridVariable {
  const { runsMs, startsMs, timesMs } = variable;
  if (runsMs === undefined || runsMs.every((ms) => ms === runMs)) return variable;
  const indices = [...timesMs.keys()].filter((i) => runsMs[i] === runMs);
  return {
    ...variable,
    timesMs: indices.map((i) => timesMs[i]!),
    runsMs: indices.map(() => runMs),
    startsMs: startsMs === undefined ? undefined : indices.map((i) => startsMs[i]!),
    readField: (index) => variable.readField(indices[index]!),
  };
}

interface Target {
  readonly kind: CubeKind;
  readonly cube: string;
  readonly runMs: number | null;
}

async function planRun(
  variables: readonly GridVariable[],
  context: Context,
  target: Target,
): Promise<readonly CubePart[]> {
  const inputs = findInputs(variables);
  const stepHours = findStepHours(inputs);
  const parts = await planVariables(inputs, {
    ...target,
    stepHours,
    accumulated: context.accumulated,
    fileName: context.fileName,
    openTotals: context.openTotals,
  });
  if (parts.length === 0)
    throw unsupported(
      'no-variable',
      'The file has only a part of what a variable is made of: a wind needs both directions, the depth of snow its water and its density.',
    );
  const isStatic = inputs.size === 1 && inputs.has('elevation');
  if (isStatic && (await context.cubes.find(target.cube)) === null)
    throw conflict(
      'no-times',
      `The file has only the height of the ground, and there is no data cube ${target.cube} yet. Ingest its weather first.`,
    );
  return parts;
}

/** By hour or by day; null if a single time does not tell. */
function findStepHours(inputs: FoundInputs): StepHours | null {
  const variables = [...inputs].filter(([name]) => name !== 'elevation').flatMap(([, found]) => found);
  const stated = variables.map(({ timesMs }) => toStepHours(timesMs)).filter((hours) => hours !== null);
  if (stated.length > 0) return stated.includes(1) ? 1 : 24;
  const periods = variables.flatMap(({ timesMs, startsMs }) =>
    startsMs === undefined ? [] : startsMs.map((ms, i) => timesMs[i]! - ms),
  );
  if (periods.length > 0 && periods.every(isDaily)) return 24;
  // Files of one time: steps of a model, or a day that is named by its midnight or its noon.
  const isOfModel = variables.some(({ runsMs }) => runsMs !== undefined);
  const isAtHour = variables.some(({ timesMs }) => timesMs.some((ms) => ms % HALF_DAY_MS !== 0));
  return isOfModel || isAtHour || periods.length > 0 ? 1 : null;
}

const HALF_DAY_MS = 12 * 3_600_000;

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
 * Whether variables are from a forecast: they state their model run, and either reach further than a reanalysis does,
 * or are too recent to be one, or have the name of a forecast model.
 */
export function isForecast(variables: readonly GridVariable[], { names, nowMs }: KindOptions): boolean {
  const withRun = variables.filter(({ runsMs }) => runsMs !== undefined);
  if (withRun.length === 0) return false;
  if (names.some((name) => FORECAST_NAME.test(name))) return true;
  return withRun.some(({ timesMs, runsMs }) =>
    timesMs.some((ms, i) => ms - runsMs![i]! > REANALYSIS_MS || nowMs - runsMs![i]! < REANALYSIS_LAG_MS),
  );
}

/** A run can be used when it reaches this far: the shortest forecast of the interface, less a step. */
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
