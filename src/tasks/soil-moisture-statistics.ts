import { summarize } from '../numbers/index.ts';
import type { SoilMoistureDay, SoilMoistureSeries } from '../soil-moisture/index.ts';
import type { SceneStatistics, StatisticsResult } from '../zonal/index.ts';

/** The statistics of soil moisture, and of the root zone for each of their days. */
export interface SoilMoistureStatistics extends StatisticsResult {
  readonly rootZones: readonly (number | null)[];
}

const NO_CUBE = {
  viewId: 'soilmoisture',
  sceneId: 'soilmoisture',
  code: 'no-data',
  message: 'There is no soil moisture of this area.',
  notes: [],
};

/** The cells of a day: mean and spread weigh them by how much of the area they cover, percentiles do not. */
function toDayStatistics({ surface, cells }: SoilMoistureDay): SceneStatistics['values'][number] {
  if (surface === null) return null;
  const found = summarize(
    Float32Array.from(cells, ({ value }) => value),
    null,
  );
  if (found === null) return null;
  const weight = cells.reduce((sum, cell) => sum + cell.weight, 0);
  const variance = cells.reduce((sum, cell) => sum + cell.weight * (cell.value - surface) ** 2, 0) / weight;
  return { ...found, average: surface, variance, std: Math.sqrt(variance) };
}

/** The newest days with a value, up to a number of them. */
export function toSoilMoistureStatistics(
  series: SoilMoistureSeries | null,
  { from, limit }: { readonly from: string; readonly limit: number },
): SoilMoistureStatistics {
  if (series === null) return { scenes: [], rootZones: [], failures: [{ ...NO_CUBE, date: from }] };
  const days = series.days
    .filter(({ surface }) => surface !== null)
    .toReversed()
    .slice(0, limit);
  const notes = series.isInterpolated ? ['interpolated: the area is smaller than a cell'] : [];
  return {
    scenes: days.map((day) => ({
      viewId: `soilmoisture/${series.cube}/${day.date}`,
      sceneId: `${series.cube}_${day.date.replaceAll('-', '')}`,
      date: day.date,
      cloudPercent: 0,
      notes,
      values: [toDayStatistics(day)],
      histograms: null,
    })),
    rootZones: days.map(({ rootZone }) => rootZone),
    failures: [],
  };
}
