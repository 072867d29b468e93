/** The numbers of a field that matter: its last value, what changed, its season, its weather. */
import { findSeasons, smoothSeries, toDate, toDayNumber, toSampleWeight } from '../../src/seasons/index.ts';
import type { ChartData } from '../panels/area/series/chart-data.ts';

/** A value of a day. */
interface DayValue {
  readonly day: string;
  readonly value: number;
}

/** The newest season of a curve; `null` where a part of it is not known. */
interface FieldSeason {
  readonly start: string | null;
  readonly end: string | null;
  readonly peak: DayValue;
}

/** The numbers; `null` where one is not known. */
export interface FieldNumbers {
  readonly last: DayValue | null;
  /** The clear scene before the last one. */
  readonly before: DayValue | null;
  readonly season: FieldSeason | null;
  readonly meanC: number | null;
  readonly rainMm: number | null;
}

/** The newest season of the points of a chart. */
const findLastSeason = ({ days, scenes, indices }: ChartData): FieldSeason | null => {
  const points = indices[0]?.points ?? [];
  const samples = points.flatMap((value, row) =>
    value === null
      ? []
      : [
          {
            day: toDayNumber(days[row] ?? ''),
            value,
            weight: toSampleWeight(scenes[row]?.cloudPercent ?? null),
          },
        ],
  );
  const curve = smoothSeries(samples);
  const season = curve === null ? undefined : findSeasons(curve).at(-1);
  if (season === undefined || !season.isPeakKnown) return null;
  const toDay = (day: number | null): string | null => (day === null ? null : toDate(Math.round(day)));
  return {
    start: toDay(season.startDay),
    end: toDay(season.endDay),
    peak: { day: toDate(Math.round(season.peakDay)), value: season.peakValue },
  };
};

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The numbers of a chart. */
export const toFieldNumbers = (chart: ChartData): FieldNumbers => {
  const measured = (chart.indices[0]?.points ?? []).flatMap((value, row) =>
    value === null ? [] : [{ day: chart.days[row] ?? '', value }],
  );
  const weather = chart.weather.filter((day) => day !== null && !day.isForecast);
  const rains = weather.flatMap((day) => (day?.rainMm == null ? [] : [day.rainMm]));
  return {
    last: measured.at(-1) ?? null,
    before: measured.at(-2) ?? null,
    season: findLastSeason(chart),
    meanC: mean(weather.flatMap((day) => (day === null ? [] : [(day.minC + day.maxC) / 2]))),
    rainMm: rains.length === 0 ? null : rains.reduce((sum, mm) => sum + mm, 0),
  };
};
