/** What a chart of a series draws: one row a day, from the first to the last that anything is known of. */
import { isBetterScene, smoothSeries, toSampleWeight, valueOn } from '../../../../src/seasons/index.ts';
import { DAY_MS } from '../../../api/statistics.ts';
import type {
  Measured,
  MeasuredScene,
  SeriesState,
  SoilDay,
  WeatherDay,
} from '../../../state/series-state.ts';

/** Values by day; `null` where there is none. */
export type Column = readonly (number | null)[];

/** The rows. */
export interface ChartData {
  /** Midnight UTC of each day, in seconds, as uPlot takes them. */
  readonly seconds: readonly number[];
  readonly days: readonly string[];
  /** The scene whose value is drawn on a day. */
  readonly scenes: readonly (MeasuredScene | null)[];
  readonly indices: readonly {
    readonly name: string;
    readonly points: Column;
    readonly line: Column;
  }[];
  readonly weather: readonly (WeatherDay | null)[];
  readonly soil: readonly (SoilDay | null)[];
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

const toLine = (points: Column, scenes: readonly (MeasuredScene | null)[]): Column => {
  const samples = points.flatMap((value, day) =>
    value === null ? [] : [{ day, value, weight: toSampleWeight(scenes[day]?.cloudPercent ?? null) }],
  );
  const curve = smoothSeries(samples);
  return points.map((_, day) => (curve === null ? null : valueOn(curve, day)));
};

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface ChartPeriod {
  readonly from: string;
  readonly to: string;
}

const readyValue = <Value>(part: { readonly kind: string; readonly value?: Value }): Value | null =>
  part.kind === 'ready' ? (part.value ?? null) : null;

/** The rows of what has come so far. */
export const toChartData = (
  { measured, weather, soil, choice }: SeriesState,
  { from, to }: ChartPeriod,
): ChartData => {
  const { scenes = [] }: Partial<Measured> = readyValue(measured) ?? {};
  const weatherDays = new Map((readyValue(weather)?.days ?? []).map((day) => [day.day, day]));
  const soilDays = new Map((readyValue(soil) ?? []).map((day) => [day.day, day]));
  const lastForecast = [...weatherDays.keys()].at(-1) ?? to;
  const firstMs = Date.parse(from);
  const count = Math.round((Date.parse(lastForecast > to ? lastForecast : to) - firstMs) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, i) => toDay(firstMs + i * DAY_MS));

  const byDay = new Map<string, MeasuredScene>();
  for (const scene of scenes) {
    if (!isClear(scene, choice.maxCloudPercent)) continue;
    const known = byDay.get(scene.date);
    if (known === undefined || isBetter(scene, known)) byDay.set(scene.date, scene);
  }
  const drawn = days.map((day) => byDay.get(day) ?? null);
  const names = Object.keys(scenes[0]?.values ?? {});
  return {
    seconds: days.map((_, i) => (firstMs + i * DAY_MS) / 1000),
    days,
    scenes: drawn,
    indices: names.map((name) => {
      const points = drawn.map((scene) => scene?.values[name]?.average ?? null);
      return { name, points, line: toLine(points, drawn) };
    }),
    weather: days.map((day) => weatherDays.get(day) ?? null),
    soil: days.map((day) => soilDays.get(day) ?? null),
  };
};
