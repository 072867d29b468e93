import type { CubeKind, CubePart, Cubes, GridVariable, PlanFile, StepHours } from '../../cubes/index.ts';
import { isDaily, toStepHours } from '../../cubes/index.ts';
import { conflict, unsupported } from '../../errors.ts';
import { isForecast, listRuns, toRunName } from './forecast-runs.ts';
import type { Accumulation } from './sum-periods.ts';
import type { OpenTotals } from './sum-totals.ts';
import { makeOpenTotals } from './sum-totals.ts';
import type { FoundInputs } from './weather-inputs.ts';
import { findInputs } from './weather-inputs.ts';
import { planVariables } from './weather-parts.ts';

/** How files of weather become cubes. */
export interface WeatherPlanOptions {
  readonly cubes: Cubes;
  /** Name of the data cube; runs of forecasts have their time after it. */
  readonly name: string;
  /** Null to find out. */
  readonly kind: CubeKind | null;
  /** When the run of the files began, if they do not say it. */
  readonly runMs: number | null;
  /** From when sums count; null to find out. */
  readonly accumulated: Accumulation | null;
  /** Runs that are stored. */
  readonly runs: number;
  readonly nowMs: number;
}

/** Plans files of weather. */
export function makeWeatherPlan(options: WeatherPlanOptions): PlanFile {
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

/** The times of a variable that are of one run; a variable that says no run is of each. */
function toRunOnly(variable: GridVariable, runMs: number): GridVariable {
  const { runsMs, startsMs, timesMs } = variable;
  if (runsMs === undefined || runsMs.every((ms) => ms === runMs)) return variable;
  const indices = [...timesMs.keys()].filter((i) => runsMs[i] === runMs);
  return {
    ...variable,
    timesMs: indices.map((i) => timesMs[i]!),
    runsMs: indices.map(() => runMs),
    ...(startsMs === undefined ? {} : { startsMs: indices.map((i) => startsMs[i]!) }),
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
