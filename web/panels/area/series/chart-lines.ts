/** The lines of a chart, and the curve that each of them is. */
import type { Curve } from '../../../../src/seasons/index.ts';
import { smoothSeries, toSampleWeight } from '../../../../src/seasons/index.ts';
import { DAY_MS } from '../../../api/days.ts';
import type { MeasuredScene, Metrics } from '../../../state/series-state.ts';

/** Values by day; `null` where there is none. */
export type Column = readonly (number | null)[];

/** One line with its points. */
export interface ChartLine {
  readonly name: string;
  readonly points: Column;
  readonly line: Column;
}

/** Two lines, and what lies between them. */
export interface ChartBand {
  readonly low: Column;
  readonly high: Column;
}

/** The lines of a chart, and what lies around them. */
export interface ChartLines {
  /** Midnight UTC of each day. */
  readonly days: readonly string[];
  /** The scene whose value is drawn on a day. */
  readonly scenes: readonly (MeasuredScene | null)[];
  readonly indices: readonly ChartLine[];
  /** Where most of the area lies, around the first line. */
  readonly spread: ChartBand | null;
  /** The mean of earlier years, and where most of them lie. */
  readonly normal: (ChartBand & { readonly mean: Column; readonly years: readonly number[] }) | null;
  /** Whether days are those of every year. */
  readonly isOfYears: boolean;
}

/** The curve through a number of scenes, over days since 1970. */
export const toCurve = (
  scenes: Iterable<MeasuredScene>,
  name: string,
  metric: keyof Metrics = 'average',
): Curve | null =>
  smoothSeries(
    [...scenes].flatMap((scene) => {
      const value = scene.values[name]?.[metric] ?? null;
      const day = Date.parse(scene.date) / DAY_MS;
      return value === null ? [] : [{ day, value, weight: toSampleWeight(scene.cloudPercent) }];
    }),
  );
