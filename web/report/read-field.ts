/** What a report says of a field: its curve, its weather and the numbers that matter. */

import { wait } from '../../clients/typescript/src/transport.ts';
import { indicesOf, periodOfSeries, sensorOfSeries, seriesSensorsOf } from '../actions/plan-series.ts';
import type { StatisticsRequest } from '../api/statistics.ts';
import { makeStatisticsApi } from '../api/statistics.ts';
import { readWeather } from '../api/weather.ts';
import type { ChartData } from '../panels/area/series/chart-data.ts';
import { toChartData } from '../panels/area/series/chart-data.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import type { Outline } from '../scenes/footprint.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import { NO_SERIES } from '../state/series-state.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { FieldNumbers } from './field-numbers.ts';
import { toFieldNumbers } from './field-numbers.ts';

/** The report's numbers. */
export interface FieldFacts extends FieldNumbers {
  readonly sensor: ViewerSensor;
  readonly index: string;
  readonly chart: ChartData;
  readonly weatherSource: string | null;
}

/** What is measured: the days and the sensor of the series; another sensor where that one lacks the index. */
const planField = (
  state: ViewerState,
  outline: Outline,
  { index, today }: { readonly index: string; readonly today: string },
): { readonly request: StatisticsRequest; readonly sensor: ViewerSensor } | null => {
  const hasIndex = (sensor: ViewerSensor): boolean => indicesOf(sensor).some(({ name }) => name === index);
  const ofSeries = sensorOfSeries(state);
  const sensor = ofSeries !== null && hasIndex(ofSeries) ? ofSeries : seriesSensorsOf(state).find(hasIndex);
  if (sensor === undefined) return null;
  const { from, to } = periodOfSeries(state, today);
  return { sensor, request: { outline, dataset: sensor.dataset, indices: [index], from, to } };
};

/** Indices that a report can be about: those of all sensors that have scenes. */
export const listIndices = (state: ViewerState): readonly string[] => [
  ...new Set(seriesSensorsOf(state).flatMap((sensor) => indicesOf(sensor).map(({ name }) => name))),
];

interface Reading {
  readonly index: string;
  readonly today: string;
  readonly signal: AbortSignal;
  /** 0 to 1 while scenes are measured. */
  onProgress(progress: number): void;
}

/** Measures a field; `null` where no sensor has the index. */
export const readField = async (
  { api, store }: PanelContext,
  outline: Outline,
  { index, today, signal, onProgress }: Reading,
): Promise<FieldFacts | null> => {
  const state = store.read();
  const plan = planField(state, outline, { index, today });
  if (plan === null) return null;
  const { request, sensor } = plan;
  const patient = { send: api.send, wait };
  const [measured, weather] = await Promise.all([
    makeStatisticsApi(patient).measure(request, { signal, onProgress }),
    readWeather(patient, { ...request, today }, signal),
  ]);
  const chart = toChartData(
    {
      ...NO_SERIES,
      // A page has one line over its days.
      choice: { ...state.series.choice, indices: [index], views: [] },
      measured: { kind: 'ready', value: measured },
      weather: { kind: 'ready', value: { ...weather, days: weather.days.filter((day) => !day.isForecast) } },
    },
    request,
  );
  return { sensor, index, chart, weatherSource: weather.source, ...toFieldNumbers(chart) };
};
