/** What a chart of a series draws: one row a day, from the first to the last that anything is known of. */
import type { Curve } from '../../../../src/seasons/index.ts';
import { isBetterScene, valueOn } from '../../../../src/seasons/index.ts';
import { DAY_MS } from '../../../api/days.ts';
import type {
  Loading,
  Measured,
  MeasuredScene,
  SeriesState,
  SoilDay,
  WeatherDay,
} from '../../../state/series-state.ts';
import type { ChartBand, ChartLine, ChartLines, Column } from './chart-lines.ts';
import { toCurve } from './chart-lines.ts';
import { startOfSums, toRunningSums } from './running-sums.ts';
import { toYears } from './year-lines.ts';

/** The rows. */
export interface ChartData extends ChartLines {
  /** The days in seconds, as uPlot takes them. */
  readonly seconds: readonly number[];
  readonly weather: readonly (WeatherDay | null)[];
  readonly soil: readonly (SoilDay | null)[];
  /** Degrees and water since the sowing, or since the first of January. */
  readonly growth: Column;
  readonly balance: Column;
  /** The day of the sowing, if they are of it. */
  readonly sumsFrom: string | null;
}

/** True for a scene that the limit of clouds lets through and that has a number. */
export const isClear = ({ cloudPercent, values }: MeasuredScene, maxCloudPercent: number): boolean =>
  (cloudPercent ?? 0) <= maxCloudPercent && Object.values(values).some(({ average }) => average !== null);

/** Whether a scene is used rather than another one of the same day. */
const isBetter = (one: MeasuredScene, other: MeasuredScene): boolean => {
  const toRanked = ({ notes, cloudPercent }: MeasuredScene) => ({
    isPartial: notes.includes('partial coverage'),
    cloudPercent,
  });
  return isBetterScene(toRanked(one), toRanked(other));
};

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The best clear scene of each day. */
const toBestScenes = (
  { scenes = [] }: Partial<Measured>,
  maxCloudPercent: number,
): ReadonlyMap<string, MeasuredScene> => {
  const byDay = new Map<string, MeasuredScene>();
  for (const scene of scenes) {
    if (!isClear(scene, maxCloudPercent)) continue;
    const known = byDay.get(scene.date);
    if (known === undefined || isBetter(scene, known)) byDay.set(scene.date, scene);
  }
  return new Map([...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

interface LineParts {
  readonly days: readonly string[];
  readonly best: ReadonlyMap<string, MeasuredScene>;
}

const toColumn = (days: readonly string[], curve: Curve | null): Column =>
  days.map((day) => (curve === null ? null : valueOn(curve, Date.parse(day) / DAY_MS)));

const toLine = ({ days, best }: LineParts, index: string, name = index): ChartLine => ({
  name,
  points: days.map((day) => best.get(day)?.values[index]?.average ?? null),
  line: toColumn(days, toCurve(best.values(), index)),
});

const toSpread = ({ days, best }: LineParts, index: string): ChartBand => ({
  low: toColumn(days, toCurve(best.values(), index, 'p10')),
  high: toColumn(days, toCurve(best.values(), index, 'p90')),
});

/** One area, or two of them by one index. */
const toLines = (parts: LineParts, { field, compared, choice }: SeriesState, names: readonly string[]) => {
  const [first] = names;
  const other = readyValue(compared);
  const indices =
    field.other === null || first === undefined || other === null
      ? names.map((name) => toLine(parts, name))
      : [
          toLine(parts, first, field.name ?? first),
          toLine(
            { days: parts.days, best: toBestScenes(other, choice.maxCloudPercent) },
            first,
            field.other.name ?? `${first} 2`,
          ),
        ];
  return {
    days: parts.days,
    scenes: parts.days.map((day) => parts.best.get(day) ?? null),
    indices,
    spread: choice.views.includes('spread') && first !== undefined ? toSpread(parts, first) : null,
    normal: null,
    isOfYears: false,
  };
};

interface ChartPeriod {
  readonly from: string;
  readonly to: string;
}

const readyValue = <Value>(part: Loading<Value>): Value | null => (part.kind === 'ready' ? part.value : null);

/** The rows of what has come so far. */
export const toChartData = (series: SeriesState, { from, to }: ChartPeriod): ChartData => {
  const { measured, weather, soil, choice, field } = series;
  const ready = readyValue(measured) ?? {};
  const best = toBestScenes(ready, choice.maxCloudPercent);
  const weatherDays = new Map((readyValue(weather)?.days ?? []).map((day) => [day.day, day]));
  const soilDays = new Map((readyValue(soil) ?? []).map((day) => [day.day, day]));
  const lastForecast = [...weatherDays.keys()].at(-1) ?? to;
  const firstMs = Date.parse(from);
  const count = Math.round((Date.parse(lastForecast > to ? lastForecast : to) - firstMs) / DAY_MS) + 1;
  const all = Array.from({ length: count }, (_, i) => toDay(firstMs + i * DAY_MS));
  const names = Object.keys((ready as Partial<Measured>).scenes?.[0]?.values ?? {});
  const isByYear = choice.views.includes('years') && field.other === null;
  const lines =
    (isByYear && names[0] !== undefined
      ? toYears(best, { index: names[0], hasSpread: choice.views.includes('spread') })
      : null) ?? toLines({ days: all, best }, series, names);
  const { days } = lines;
  const known = days.map((day) => weatherDays.get(day) ?? null);
  const sumOf = (read: (day: WeatherDay) => number | null): Column =>
    toRunningSums(
      days,
      known.map((day) => (day === null ? null : read(day))),
      field.sownOn,
    );
  return {
    ...lines,
    seconds: days.map((day) => Date.parse(day) / 1000),
    weather: known,
    soil: days.map((day) => soilDays.get(day) ?? null),
    growth: sumOf(({ growingDegrees }) => growingDegrees),
    balance: sumOf(({ balanceMm }) => balanceMm),
    sumsFrom: startOfSums(days, field.sownOn),
  };
};
