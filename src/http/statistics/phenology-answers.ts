/** The curve of an index with its seasons, normals and anomaly, as JSON. */
import type { Normals, Phenology, Season } from '../../seasons/index.ts';
import {
  DEFAULT_PHENOLOGY,
  toDailySamples,
  toDate,
  toDayNumber,
  toPhenology,
  toYearDay,
} from '../../seasons/index.ts';
import type { StatisticsDocument } from '../../tasks/index.ts';
import { json } from '../kit/json-schema.ts';

/** Seven digits: more than any measurement has. */
const round = (value: number): number => Number(value.toPrecision(7));
const orNull = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : round(value);
const dateOrNull = (day: number | null): string | null => (day === null ? null : toDate(day));

/** Numbers of a day of the year, in the order of the answer. */
const NORMALS = ['mean', 'median', 'p10', 'p90', 'min', 'max', 'std'] as const;

const number = json.nullable(json.number());
const numbers = json.list(number);
const date = json.nullable(json.string());

/** The schema of the answer. */
export const phenologySchema = json.object({
  status: json.literal('finished'),
  task_id: json.string(),
  expression: json.string(),
  measurements: json.list(
    json.object({
      date: json.string(),
      scene_id: json.string(),
      view_id: json.string(),
      cloud: number,
      value: json.number(),
      weight: json.number(),
    }),
    { description: 'The best scene of each day, oldest first.' },
  ),
  curve: json.nullable(
    json.object({
      date_start: json.string(),
      date_end: json.string(),
      values: json.list(number),
    }),
    { description: 'A value for each day, null in gaps; null with fewer than two days of measurements.' },
  ),
  seasons: json.list(
    json.object({
      year: json.integer({ description: 'The year of its peak.' }),
      start: date,
      start_value: number,
      peak: json.string(),
      peak_value: json.number(),
      peak_is_known: json.boolean(),
      end: date,
      end_value: number,
      length_days: number,
      base: number,
      amplitude: number,
      large_integral: number,
      small_integral: number,
    }),
  ),
  normals: json.object(
    {
      years: json.list(json.integer()),
      counts: json.list(json.integer()),
      mean: numbers,
      median: numbers,
      p10: numbers,
      p90: numbers,
      min: numbers,
      max: numbers,
      std: numbers,
    },
    { description: 'By day of the year, without 29 February: 365 numbers each.' },
  ),
  newest: json.nullable(
    json.object({
      date: json.string(),
      value: json.number(),
      anomaly: json.nullable(
        json.object({
          difference: json.number(),
          relative: number,
          z: number,
          percentile: number,
          years: json.integer(),
        }),
      ),
    }),
    { description: 'The end of the curve against the normal of its day.' },
  ),
  errors: json.list(json.object({ scene_id: json.string(), error: json.string() }, { isOpen: true })),
});

/** Everything that the measurements of the first expression say. */
export function toPhenologyJson(
  { expressions, scenes, failures, seasons: options = DEFAULT_PHENOLOGY }: StatisticsDocument,
  { taskId }: { readonly taskId: string },
): object {
  const samples = toDailySamples(
    scenes.flatMap((scene) => {
      const value = scene.values[0]?.average;
      if (value === undefined) return [];
      const isPartial = scene.notes.includes('partial coverage');
      return [{ day: toDayNumber(scene.date), value, cloudPercent: scene.cloudPercent, isPartial, scene }];
    }),
  );
  const { curve, seasons, normals, newest } = toPhenology(samples, options);
  return {
    status: 'finished',
    task_id: taskId,
    expression: expressions[0] ?? '',
    measurements: samples.map(({ value, weight, scene: { scene } }) => ({
      date: scene.date,
      scene_id: scene.sceneId,
      view_id: scene.viewId,
      cloud: scene.cloudPercent,
      value,
      weight: round(weight),
    })),
    curve:
      curve === null
        ? null
        : {
            date_start: toDate(curve.firstDay),
            date_end: toDate(curve.firstDay + curve.values.length - 1),
            values: Array.from(curve.values, orNull),
          },
    seasons: seasons.map(toSeason),
    normals: toNormalsJson(normals),
    newest: newest === null ? null : toNewest(newest),
    errors: failures.map(({ date: day, sceneId, viewId, code, message }) => ({
      date: day,
      scene_id: sceneId,
      view_id: viewId,
      code,
      error: message,
    })),
  };
}

const toSeason = (season: Season): object => ({
  year: toYearDay(season.peakDay).year,
  start: dateOrNull(season.startDay),
  start_value: orNull(season.startValue),
  peak: toDate(season.peakDay),
  peak_value: round(season.peakValue),
  peak_is_known: season.isPeakKnown,
  end: dateOrNull(season.endDay),
  end_value: orNull(season.endValue),
  length_days: orNull(season.lengthDays),
  base: orNull(season.base),
  amplitude: orNull(season.amplitude),
  large_integral: orNull(season.largeIntegral),
  small_integral: orNull(season.smallIntegral),
});

const toNormalsJson = (normals: Normals): object => ({
  years: normals.years,
  counts: Array.from(normals.counts),
  ...Object.fromEntries(NORMALS.map((name) => [name, Array.from(normals[name], orNull)])),
});

const toNewest = ({ day, value, anomaly }: NonNullable<Phenology['newest']>): object => ({
  date: toDate(day),
  value: round(value),
  anomaly:
    anomaly === null
      ? null
      : {
          difference: round(anomaly.difference),
          relative: orNull(anomaly.relative),
          z: orNull(anomaly.z),
          percentile: orNull(anomaly.percentile),
          years: anomaly.years,
        },
});
