/** A series as a file for spreadsheets. */
import type { MeasuredScene, SoilDay, WeatherDay } from '../../../state/series-state.ts';

type Cell = string | number | null;

/** One cell; quoted where a comma, a quotation mark or a line break is in it (RFC 4180). */
const toCell = (cell: Cell): string => {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV, the names of columns first; `null` is an empty cell. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');

const METRICS = ['average', 'min', 'max', 'std', 'median', 'p10', 'p90'] as const;

/** One row a scene, with all metrics of each index, as precise as the server gave them. */
export const toScenesCsv = (scenes: readonly MeasuredScene[]): string => {
  const names = Object.keys(scenes[0]?.values ?? {});
  return toCsv([
    [
      ...['date', 'scene_id', 'view_id', 'cloud'],
      ...names.flatMap((name) => METRICS.map((metric) => `${name}_${metric}`)),
      'notes',
    ],
    ...scenes.map(({ date, sceneId, viewId, cloudPercent, values, notes }) => [
      ...[date, sceneId, viewId, cloudPercent],
      ...names.flatMap((name) => METRICS.map((metric) => values[name]?.[metric] ?? null)),
      notes.join('; '),
    ]),
  ]);
};

/** A day with what is known of it. */
export interface SeriesDay {
  readonly day: string;
  readonly weather: WeatherDay | null;
  readonly soil: SoilDay | null;
  /** Growing degrees and water balance added up to this day, as the chart draws them. */
  readonly growthSum: number | null;
  readonly balanceSum: number | null;
}

/** One row a day. */
export const toDaysCsv = (days: readonly SeriesDay[]): string =>
  toCsv([
    [
      ...[
        'date',
        'temperature_min',
        'temperature_max',
        'rainfall',
        'forecast',
        'soil_surface',
        'soil_root_zone',
      ],
      ...['growing_degree_days', 'reference_evapotranspiration', 'water_balance'],
      ...['growing_degree_sum', 'water_balance_sum'],
    ],
    ...days.map(({ day, weather, soil, growthSum, balanceSum }) => [
      ...[day, weather?.minC ?? null, weather?.maxC ?? null, weather?.rainMm ?? null],
      weather === null ? null : String(weather.isForecast),
      ...[soil?.surface ?? null, soil?.rootZone ?? null],
      ...[weather?.growingDegrees ?? null, weather?.evaporationMm ?? null, weather?.balanceMm ?? null],
      ...[growthSum, balanceSum],
    ]),
  ]);
