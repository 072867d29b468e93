/** What is normal on each day of the year, by the curves of earlier years, and how far a value is from it. */
import { toYearDay, YEAR_DAYS } from './day-of-year.ts';
import type { Curve } from './smooth-series.ts';

/** How normals are made. */
export interface NormalOptions {
  /** An odd number of days over which each number is averaged, so that single scenes of a few years do not show. */
  readonly windowDays: number;
  /** Days with fewer years have no normal. */
  readonly minYears: number;
}

export const DEFAULT_NORMALS: NormalOptions = { windowDays: 15, minYears: 2 };

/** Numbers by day of the year, without 29 February; NaN where too few years have a value. */
export interface Normals {
  /** The years that have a value on any day, in order. */
  readonly years: readonly number[];
  /** The years with a value on each day; not averaged. */
  readonly counts: Uint16Array;
  readonly mean: Float64Array;
  readonly median: Float64Array;
  readonly p10: Float64Array;
  readonly p90: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** The deviation of a sample (n − 1); NaN with fewer than two years. */
  readonly std: Float64Array;
  /** The values of each year by day, for percentiles; NaN where it has none. */
  readonly values: readonly Float64Array[];
}

/** A value against the normal of its day. */
export interface Anomaly {
  /** The value less the mean. */
  readonly difference: number;
  /** The difference divided by the mean; null for a mean of 0. */
  readonly relative: number | null;
  /** The difference in deviations; null with fewer than three years, or without any deviation. */
  readonly z: number | null;
  /** The percentage of earlier years with a lower value; years with the same value count half. */
  readonly percentile: number | null;
  /** The years that have a value on that day. */
  readonly years: number;
}

/** Fewer years say nothing about a deviation. */
const MIN_YEARS_OF_Z = 3;

/** Cuts a curve by calendar years. */
export function splitYears({ firstDay, values }: Curve): ReadonlyMap<number, Float64Array> {
  const years = new Map<number, Float64Array>();
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const { year, at } = toYearDay(firstDay + i);
    if (at === null) continue;
    const known = years.get(year) ?? new Float64Array(YEAR_DAYS).fill(Number.NaN);
    known[at] = value;
    years.set(year, known);
  }
  return years;
}

/** The normals of years that `splitYears` gives, the caller's choice of them. */
export function toNormals(
  years: ReadonlyMap<number, Float64Array>,
  options: Partial<NormalOptions> = {},
): Normals {
  const { windowDays, minYears } = { ...DEFAULT_NORMALS, ...options };
  const names = [...years.keys()].sort((a, b) => a - b);
  const values = names.map((year) => years.get(year)!);
  const make = (): Float64Array => new Float64Array(YEAR_DAYS).fill(Number.NaN);
  const daily = {
    mean: make(),
    median: make(),
    p10: make(),
    p90: make(),
    min: make(),
    max: make(),
    std: make(),
  };
  const counts = new Uint16Array(YEAR_DAYS);
  for (let at = 0; at < YEAR_DAYS; at++) {
    const sorted = values
      .map((year) => year[at]!)
      .filter((value) => !Number.isNaN(value))
      .sort((a, b) => a - b);
    const count = sorted.length;
    counts[at] = count;
    if (count === 0 || count < minYears) continue;
    const mean = sorted.reduce((sum, value) => sum + value, 0) / count;
    daily.mean[at] = mean;
    daily.median[at] = quantile(sorted, 0.5);
    daily.p10[at] = quantile(sorted, 0.1);
    daily.p90[at] = quantile(sorted, 0.9);
    daily.min[at] = sorted[0]!;
    daily.max[at] = sorted[count - 1]!;
    if (count > 1)
      daily.std[at] = Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1));
  }
  const smooth = (numbers: Float64Array): Float64Array => averageAround(numbers, windowDays);
  return {
    years: names,
    counts,
    mean: smooth(daily.mean),
    median: smooth(daily.median),
    p10: smooth(daily.p10),
    p90: smooth(daily.p90),
    min: smooth(daily.min),
    max: smooth(daily.max),
    std: smooth(daily.std),
    values,
  };
}

/** Linear between two values, as NumPy does by default. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  return low + (position - below) * ((sorted[below + 1] ?? low) - low);
}

/** The mean of the days around each day, over the turn of the year; days without a number keep none, and do not count. */
function averageAround(numbers: Float64Array, windowDays: number): Float64Array {
  const half = Math.floor(windowDays / 2);
  return numbers.map((own, at) => {
    if (Number.isNaN(own)) return own;
    let [sum, count] = [0, 0];
    for (let step = -half; step <= half; step++) {
      const value = numbers[(at + step + YEAR_DAYS) % YEAR_DAYS]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return sum / count;
  });
}

/** A value of a day since 1970-01-01 against the normals; null if they have none of that day. 29 February is 28 February. */
export function toAnomaly(value: number, day: number, normals: Normals): Anomaly | null {
  const at = toYearDay(day).at ?? (toYearDay(day - 1).at as number);
  const mean = normals.mean[at]!;
  if (Number.isNaN(mean)) return null;
  const others = normals.values.map((year) => year[at]!).filter((other) => !Number.isNaN(other));
  const difference = value - mean;
  const std = normals.std[at]!;
  const lower = others.filter((other) => other < value).length;
  const equal = others.filter((other) => other === value).length;
  return {
    difference,
    relative: mean === 0 ? null : difference / Math.abs(mean),
    z: others.length >= MIN_YEARS_OF_Z && std > 0 ? difference / std : null,
    percentile: (100 * (lower + equal / 2)) / others.length,
    years: others.length,
  };
}
