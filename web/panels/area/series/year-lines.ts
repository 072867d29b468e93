/** Years over each other: one line for each, and what is normal by the earlier ones. */
import { splitYears, toNormals, toYearDay } from '../../../../src/seasons/index.ts';
import { DAY_MS } from '../../../api/days.ts';
import type { MeasuredScene } from '../../../state/series-state.ts';
import type { ChartLines, Column } from './chart-lines.ts';
import { toCurve } from './chart-lines.ts';

/** More lines cannot be told apart; normals are of all years. */
const MAX_YEARS = 5;
const YEAR_DAYS = 365;
/** Fewer years have no normal. */
const MIN_NORMAL_YEARS = 2;

interface YearOptions {
  readonly index: string;
  readonly hasSpread: boolean;
}

/** The days of a year, without 29 February. */
const daysOf = (year: number): readonly string[] => {
  const first = Date.UTC(year, 0, 1) / DAY_MS;
  return Array.from({ length: YEAR_DAYS + 1 }, (_, i) => first + i).flatMap((day) => {
    const found = toYearDay(day);
    return found.year === year && found.at !== null
      ? [new Date(day * DAY_MS).toISOString().slice(0, 10)]
      : [];
  });
};

const toColumn = (values: Float64Array | undefined): Column =>
  Array.from({ length: YEAR_DAYS }, (_, at) => {
    const value = values?.[at] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  });

/** The lines, the newest year first; `null` where there is no scene. */
export const toYears = (
  best: ReadonlyMap<string, MeasuredScene>,
  { index, hasSpread }: YearOptions,
): ChartLines | null => {
  const years = [...new Set([...best.keys()].map((day) => Number(day.slice(0, 4))))].toSorted(
    (a, b) => b - a,
  );
  const newest = years[0];
  if (newest === undefined) return null;
  const split = (metric: 'average' | 'p10' | 'p90'): ReadonlyMap<number, Float64Array> => {
    const curve = toCurve(best.values(), index, metric);
    return curve === null ? new Map() : splitYears(curve);
  };
  const curves = split('average');
  const drawn = years.slice(0, MAX_YEARS);
  const scenes: (MeasuredScene | null)[] = Array.from({ length: YEAR_DAYS }, () => null);
  const points = new Map(drawn.map((year) => [year, [...scenes].map((): number | null => null)]));
  // Oldest first: of two years the newer one is shown by a click.
  for (const [date, scene] of best) {
    const { year, at } = toYearDay(Date.parse(date) / DAY_MS);
    const column = points.get(year);
    if (at === null || column === undefined) continue;
    column[at] = scene.values[index]?.average ?? null;
    scenes[at] = scene;
  }
  const earlier = new Map([...curves].filter(([year]) => year !== newest));
  const normals = earlier.size >= MIN_NORMAL_YEARS ? toNormals(earlier) : null;
  return {
    days: daysOf(newest),
    scenes,
    indices: drawn.map((year) => ({
      name: String(year),
      points: points.get(year) ?? [],
      line: toColumn(curves.get(year)),
    })),
    spread: hasSpread
      ? { low: toColumn(split('p10').get(newest)), high: toColumn(split('p90').get(newest)) }
      : null,
    normal:
      normals === null
        ? null
        : {
            mean: toColumn(normals.mean),
            low: toColumn(normals.p10),
            high: toColumn(normals.p90),
            years: normals.years,
          },
    isOfYears: true,
  };
};
