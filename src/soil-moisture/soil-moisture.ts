import type { Cube, Cubes, Series } from '../cubes/index.ts';
import { readSeries, toStep, toStepDay } from '../cubes/index.ts';
import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import { badInput } from './errors.ts';
import { SURFACE } from './ingest-moisture.ts';

/** What to read; days are UTC, as 2026-05-02, both included. */
export interface SoilMoistureRequest {
  readonly where: AreaGeometry | PointGeometry;
  readonly from: string;
  readonly to: string;
}

/** One day; volumetric, in cubic metres of water a cubic metre of soil. */
export interface SoilMoistureDay {
  readonly date: string;
  /** Mean of the area; null where nothing was measured. */
  readonly surface: number | null;
  /** Water of the root zone, by the exponential filter; null where the surface is null. */
  readonly rootZone: number | null;
  /** Values of the surface and how much each counts; one value where it is interpolated. Weights need not sum to 1. */
  readonly cells: readonly { readonly value: number; readonly weight: number }[];
}

/** Soil moisture of an area over time. */
export interface SoilMoistureSeries {
  /** Name of the data cube that it comes from. */
  readonly cube: string;
  /** True when the area is smaller than a cell, or a point. */
  readonly isInterpolated: boolean;
  /** One for each requested day. */
  readonly days: readonly SoilMoistureDay[];
}

/** Reads soil moisture. */
export interface SoilMoisture {
  /** Null where no data cube covers the area. */
  read(request: SoilMoistureRequest): Promise<SoilMoistureSeries | null>;
}

/**
 * Days before the first one with which the filter starts: after 365 the weight of anything older is e^-36.5, less than
 * the last bit of a double. So the values do not depend on the first day requested.
 */
const SPIN_UP_DAYS = 365;
/** The max number of days of one request: 30 years. */
export const MAX_MOISTURE_DAYS = 11_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Builds the reader. The finest data cube that has values answers. */
export function makeSoilMoisture({ cubes }: { readonly cubes: Cubes }): SoilMoisture {
  return {
    async read({ where, from, to }) {
      const [first, last] = [toDay(from), toDay(to)];
      if (last < first || last - first >= MAX_MOISTURE_DAYS)
        throw badInput(
          'bad-days',
          `Soil moisture is read from a day to a later one, ${MAX_MOISTURE_DAYS} days at most.`,
        );
      let empty: SoilMoistureSeries | null = null;
      for (const cube of (await cubes.list()).toSorted(byCell)) {
        const series = await readDays(cubes, cube, { where, first, last });
        if (series === null) continue;
        if (series.days.some(({ surface }) => surface !== null)) return series;
        empty ??= series;
      }
      return empty;
    },
  };
}

function toDay(text: string): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw badInput('bad-days', `"${text.slice(0, 40)}" is not a day such as 2026-05-02.`);
  return toStep(ms, 24);
}

const byCell = ({ grid: one, name }: Cube, { grid: other, name: otherName }: Cube): number =>
  one.lonStep * one.latStep - other.lonStep * other.latStep || (name < otherName ? -1 : 1);

interface DayRange {
  readonly where: AreaGeometry | PointGeometry;
  readonly first: number;
  readonly last: number;
}

async function readDays(
  cubes: Cubes,
  { name, stepHours, variables }: Cube,
  { where, first, last }: DayRange,
): Promise<SoilMoistureSeries | null> {
  if (variables[SURFACE] === undefined) return null;
  const stepsPerDay = 24 / stepHours;
  const start = first - SPIN_UP_DAYS;
  const series = await readSeries(cubes, name, {
    variable: SURFACE,
    where,
    firstStep: start * stepsPerDay,
    lastStep: (last + 1) * stepsPerDay - 1,
  });
  if (series.cells.length === 0) return null;
  const surface = toDailyMeans(series.means, stepsPerDay);
  const rootZone = filterRootZone(surface);
  const ofCells = series.isInterpolated
    ? []
    : series.cells.map((_, i) => toDailyMeans(valuesOf(series, i), stepsPerDay));
  const days: SoilMoistureDay[] = [];
  for (let day = first; day <= last; day++) {
    const at = day - start;
    const mean = toValue(surface[at]!);
    const cells = series.isInterpolated
      ? toOnly(mean)
      : ofCells.flatMap((values, i) => {
          const value = values[at]!;
          return Number.isNaN(value) ? [] : [{ value, weight: series.cells[i]!.weight }];
        });
    days.push({ date: toStepDay(day, 24), surface: mean, rootZone: toValue(rootZone[at]!), cells });
  }
  return { cube: name, isInterpolated: series.isInterpolated, days };
}

const toValue = (value: number): number | null => (Number.isNaN(value) ? null : value);
const toOnly = (value: number | null) => (value === null ? [] : [{ value, weight: 1 }]);

const valuesOf = ({ values, stepCount }: Series, cell: number): Float32Array =>
  values.subarray(cell * stepCount, (cell + 1) * stepCount);

/** Means of the hours of each day that have a value. */
function toDailyMeans(values: Float64Array | Float32Array, stepsPerDay: number): Float64Array {
  const means = new Float64Array(values.length / stepsPerDay);
  for (let day = 0; day < means.length; day++) {
    let [sum, count] = [0, 0];
    for (let i = day * stepsPerDay; i < (day + 1) * stepsPerDay; i++) {
      if (Number.isNaN(values[i]!)) continue;
      sum += values[i]!;
      count += 1;
    }
    means[day] = sum / count;
  }
  return means;
}

/** Days after which a measurement counts 1/e of a new one: the water of the upper soil seeps down that slowly. */
const CHARACTERISTIC_DAYS = 10;

/**
 * The water of the root zone from that of the surface: the exponential filter of Wagner (1999) in the recursive form of
 * Albergel (2008). One value a day; a gap (NaN) stays a gap, and the values after it count by their distance in time.
 */
export function filterRootZone(
  surface: Float64Array,
  characteristicDays = CHARACTERISTIC_DAYS,
): Float64Array {
  const rootZone = new Float64Array(surface.length).fill(Number.NaN);
  let [gain, water, last] = [1, Number.NaN, -1];
  for (let day = 0; day < surface.length; day++) {
    const value = surface[day]!;
    if (Number.isNaN(value)) continue;
    if (last < 0) [gain, water] = [1, value];
    else {
      gain /= gain + Math.exp((last - day) / characteristicDays);
      water += gain * (value - water);
    }
    rootZone[day] = water;
    last = day;
  }
  return rootZone;
}
