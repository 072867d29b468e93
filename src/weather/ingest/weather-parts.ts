import type { CubeField, CubeKind, CubePart, GridVariable, StepHours } from '../../cubes/index.ts';
import { toStep } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import type { WeatherVariable } from '../weather-series.ts';
import { ELEVATION, ELEVATION_VARIABLE, WEATHER_VARIABLES } from '../weather-series.ts';
import type { FileTotal } from './step-sums.ts';
import { toStepSums } from './step-sums.ts';
import type { Accumulation, OpenTotals, SumPeriods } from './sum-periods.ts';
import { findSumPeriods, toTotalNames, toTotalStep } from './sum-periods.ts';
import type { FoundInputs, WeatherInputName } from './weather-inputs.ts';
import { WEATHER_INPUTS } from './weather-inputs.ts';
import type { UnitConversion } from './weather-units.ts';
import { checkValues, parseWeatherUnits } from './weather-units.ts';

/** Which cube, and how. */
export interface PartsOptions {
  readonly kind: CubeKind;
  readonly cube: string;
  readonly runMs: number | null;
  readonly stepHours: StepHours | null;
  readonly accumulated: Accumulation | null;
  readonly fileName: string;
  readonly openTotals: OpenTotals;
}

/** Plans what the variables of a file give to a cube: states, extremes, sums, and what two of them make together. */
export async function planVariables(
  inputs: FoundInputs,
  options: PartsOptions,
): Promise<readonly CubePart[]> {
  const parts: CubePart[] = [];
  for (const variable of Object.keys(WEATHER_VARIABLES) as WeatherVariable[]) {
    // The mean of a day is not the temperature at its beginning.
    if (variable === 'temperature' && options.stepHours === 24) continue;
    const found = inputs.get(variable);
    if (found === undefined) parts.push(...planCombined(variable, inputs, options));
    else if (WEATHER_INPUTS[variable].time === 'sum') parts.push(await planSums(variable, found, options));
    else parts.push(planStates(variable, chooseState(found), options));
  }
  const [ground] = inputs.get('elevation') ?? [];
  if (ground !== undefined) parts.push(planGround(ground, options));
  return parts;
}

/** What holds at a moment goes before the mean of a period. */
const chooseState = (found: readonly GridVariable[]): GridVariable =>
  found.find(({ method }) => method === undefined || method === 'instant') ?? found[0]!;

const toConversion = (input: WeatherInputName, { units, name }: GridVariable): UnitConversion =>
  parseWeatherUnits(units, WEATHER_INPUTS[input].dimension, name);

/** Converts a field in its own memory. */
function convert(field: Float32Array, { scale, offset, isRate }: UnitConversion, seconds: number): void {
  const factor = isRate ? scale * seconds : scale;
  for (let i = 0; i < field.length; i++) field[i] = field[i]! * factor + offset;
}

const makePart = (
  { grid }: GridVariable,
  { cube, kind, runMs, stepHours }: PartsOptions,
  rest: Pick<CubePart, 'fieldCount' | 'read'>,
): CubePart => ({ cube, kind, runMs, grid, stepHours, ...rest });

/**
 * The step of a value. That of a moment is the one that begins then. What holds for a period that ends at a time is in
 * its last hour, or in the day that has its middle.
 */
function toValueStep(
  { timesMs, startsMs }: GridVariable,
  index: number,
  stepHours: StepHours,
  isPeriod: boolean,
): number {
  const [endMs, startMs] = [timesMs[index]!, startsMs?.[index]];
  if (!isPeriod) return toStep(endMs, stepHours);
  if (stepHours === 1) return toStep(endMs - HOUR_MS, 1);
  return toStep(startMs === undefined ? endMs : (startMs + endMs) / 2, 24);
}

/** Whether numbers of a variable hold for a period: as it says, or as its name does. */
const isOfPeriod = (input: WeatherInputName, { method }: GridVariable): boolean =>
  method === undefined ? WEATHER_INPUTS[input].time !== 'state' : method !== 'instant';

function planStates(variable: WeatherVariable, found: GridVariable, options: PartsOptions): CubePart {
  const conversion = toConversion(variable, found);
  return makePart(found, options, {
    fieldCount: found.timesMs.length,
    async *read(stepHours, onField) {
      for (const index of found.timesMs.keys()) {
        const values = await found.readField(index);
        convert(values, conversion, 0);
        checkValues(values, variable, found.name);
        const step = toValueStep(found, index, stepHours, isOfPeriod(variable, found));
        yield { variable, about: WEATHER_VARIABLES[variable], step, values };
        onField();
      }
    },
  });
}

interface Combination {
  readonly inputs: readonly [WeatherInputName, WeatherInputName];
  readonly combine: (one: number, other: number) => number;
}

/** Snow lighter than this is a number that stands for no snow: fresh snow has 50 kg/m³. */
const LIGHTEST_SNOW = 20;

/** Variables that are made of two others. */
const COMBINATIONS: Readonly<Partial<Record<WeatherVariable, Combination>>> = {
  windSpeed: { inputs: ['windEast', 'windNorth'], combine: (east, north) => Math.hypot(east, north) },
  // mm of water are kg/m², which over kg/m³ are metres.
  snowDepth: {
    inputs: ['snowWater', 'snowDensity'],
    combine: (water, density) =>
      water <= 0 ? 0 : density < LIGHTEST_SNOW ? Number.NaN : (100 * water) / density,
  },
};

/** Combines two variables at the times that both have. */
function planCombined(
  variable: WeatherVariable,
  inputs: FoundInputs,
  options: PartsOptions,
): readonly CubePart[] {
  const combination = COMBINATIONS[variable];
  if (combination === undefined) return [];
  const { combine } = combination;
  const [first, second] = combination.inputs.map((name) => inputs.get(name));
  if (first === undefined || second === undefined) return [];
  const [one, other] = [chooseState(first), chooseState(second)];
  const [toOne, toOther] = [
    toConversion(combination.inputs[0], one),
    toConversion(combination.inputs[1], other),
  ];
  const otherIndex = new Map(other.timesMs.map((ms, i) => [ms, i]));
  const pairs = one.timesMs.flatMap((ms, i) => {
    const j = otherIndex.get(ms);
    return j === undefined ? [] : [{ i, j }];
  });
  return [
    makePart(one, options, {
      fieldCount: pairs.length,
      async *read(stepHours, onField) {
        for (const { i, j } of pairs) {
          const values = await one.readField(i);
          const others = await other.readField(j);
          convert(values, toOne, 0);
          convert(others, toOther, 0);
          for (let cell = 0; cell < values.length; cell++)
            values[cell] = combine(values[cell]!, others[cell]!);
          checkValues(values, variable, `${one.name}, ${other.name}`);
          const step = toValueStep(one, i, stepHours, isOfPeriod(combination.inputs[0], one));
          yield { variable, about: WEATHER_VARIABLES[variable], step, values };
          onField();
        }
      },
    }),
  ];
}

interface SumSource {
  readonly found: GridVariable;
  readonly conversion: UnitConversion;
  readonly periods: SumPeriods;
}

async function planSums(
  variable: WeatherVariable,
  all: readonly GridVariable[],
  options: PartsOptions,
): Promise<CubePart> {
  const sources: SumSource[] = [];
  for (const found of all) {
    const conversion = toConversion(variable, found);
    const { isRate } = conversion;
    const { accumulated: stated, runMs, fileName } = options;
    const periods = await findSumPeriods(found, { stated, runMs, isRate, fileName });
    sources.push({ found, conversion, periods });
  }
  return makePart(all[0]!, options, {
    fieldCount: all.reduce((sum, { timesMs }) => sum + timesMs.length, 0),
    read: (stepHours, onField) =>
      stepHours === 24
        ? readDailySums(variable, sources, onField)
        : readHourlySums(variable, sources, options, onField),
  });
}

async function* readDailySums(
  variable: WeatherVariable,
  sources: readonly SumSource[],
  onField: () => void,
): AsyncGenerator<CubeField> {
  const { found, conversion } = sources[0]!;
  for (const index of found.timesMs.keys()) {
    const values = await found.readField(index);
    convert(values, conversion, 86_400);
    checkValues(values, variable, found.name);
    const step = toValueStep(found, index, 24, true);
    yield { variable, about: WEATHER_VARIABLES[variable], step, values };
    onField();
  }
}

async function* readHourlySums(
  variable: WeatherVariable,
  sources: readonly SumSource[],
  { cube, openTotals }: PartsOptions,
  onField: () => void,
): AsyncGenerator<CubeField> {
  const [{ found: first, periods: firstPeriods }] = sources as readonly [SumSource, ...SumSource[]];
  const about = WEATHER_VARIABLES[variable];
  const names = toTotalNames(variable);
  const given = sources.flatMap(({ found, conversion, periods }) =>
    found.timesMs.map((endMs, index): FileTotal => {
      const startMs = periods.startsMs[index]!;
      return {
        startMs,
        endMs,
        async read() {
          const values = await found.readField(index);
          convert(values, conversion, (endMs - startMs) / 1000);
          return values;
        },
      };
    }),
  );
  // An analysis has no period, and a sum of nothing says nothing.
  const lasting = given.filter(({ startMs, endMs }) => endMs > startMs);
  for (let i = lasting.length; i < given.length; i++) onField();
  const totals = openTotals(cube, variable, first.grid);
  for await (const one of toStepSums(lasting, { totals, spansMs: firstPeriods.spansMs, onField })) {
    const { values } = one;
    if (one.kind === 'sum') {
      checkValues(values, variable, first.name);
      yield { variable, about, step: toStep(one.endMs - HOUR_MS, 1), values };
      continue;
    }
    const { startMs, endMs } = one.period;
    const step = toTotalStep(endMs);
    const hours = new Float32Array(values.length).fill((endMs - startMs) / HOUR_MS);
    yield { variable: names.total, about, step, values };
    yield {
      variable: names.hours,
      about: { units: 'h', longName: 'Hours of the total' },
      step,
      values: hours,
    };
  }
}

function planGround(found: GridVariable, options: PartsOptions): CubePart {
  const conversion = toConversion('elevation', found);
  return makePart(found, options, {
    fieldCount: 1,
    async *read(_, onField) {
      const values = await found.readField(0);
      convert(values, conversion, 0);
      checkValues(values, ELEVATION_VARIABLE, found.name);
      yield { variable: ELEVATION_VARIABLE, about: ELEVATION, step: 0, values };
      onField();
    },
  });
}
