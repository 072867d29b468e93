/** Which statistics a series needs, from what the user chose and what the server has. */

import { addDays } from '../api/days.ts';
import type { StatisticsRequest } from '../api/statistics.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import type { ViewerState } from '../state/viewer-state.ts';

/** The weather of more days is refused by the server. */
const MAX_DAYS = 3650;
const YEAR_DAYS = 365;

/** Indices of a sensor that give one number a pixel in any single scene. */
export const indicesOf = (sensor: ViewerSensor): ViewerSensor['indices'] =>
  sensor.indices.filter(({ kind }) => kind === 'index');

/** Sensors that have scenes and indices. */
export const seriesSensorsOf = ({
  knowledge,
  datasets,
  shown,
}: Pick<ViewerState, 'knowledge' | 'datasets' | 'shown'>): readonly ViewerSensor[] =>
  (knowledge?.sensors ?? []).filter(
    (sensor) =>
      (datasets.includes(sensor.dataset) || sensor.dataset === shown?.sensor.dataset) &&
      indicesOf(sensor).length > 0,
  );

/** The sensor of the series: the chosen one, that of the shown scene, or the first there is. */
export const sensorOfSeries = (state: ViewerState): ViewerSensor | null => {
  const sensors = seriesSensorsOf(state);
  const named = (dataset: string | null | undefined): ViewerSensor | undefined =>
    sensors.find((sensor) => sensor.dataset === dataset);
  return named(state.series.choice.dataset) ?? named(state.shown?.sensor.dataset) ?? sensors[0] ?? null;
};

/** The days of the series: the last year by default, and at most ten years. */
export const periodOfSeries = (
  { series: { choice } }: ViewerState,
  today: string,
): { readonly from: string; readonly to: string } => {
  const to = choice.to ?? today;
  const from = choice.from ?? addDays(to, -YEAR_DAYS);
  const earliest = addDays(to, -MAX_DAYS);
  return { from: from < earliest ? earliest : from, to };
};

/** Why there is nothing to ask for: no dataset has indices, or the last day is before the first; `null` if there is. */
export const whyNoSeries = (state: ViewerState, today: string): 'dataset' | 'dates' | null => {
  if (state.phase.kind === 'ready' && sensorOfSeries(state) === null) return 'dataset';
  const { from, to } = periodOfSeries(state, today);
  return from > to ? 'dates' : null;
};

/** The statistics to ask for; `null` while the series is closed, or there is nothing to ask. */
export const planSeries = (state: ViewerState, today: string): StatisticsRequest | null => {
  const { area, series, phase } = state;
  const sensor = sensorOfSeries(state);
  if (!series.isOpen || area === null || sensor === null || phase.kind !== 'ready') return null;
  const known = indicesOf(sensor).map(({ name }) => name);
  const indices = series.choice.indices.filter((name) => known.includes(name));
  const { from, to } = periodOfSeries(state, today);
  if (from > to) return null;
  return {
    outline: area.outline,
    dataset: sensor.dataset,
    indices: indices.length > 0 ? indices : known.slice(0, 1),
    from,
    to,
  };
};
