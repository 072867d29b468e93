import { LAPSE_C_PER_M } from './heights.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';

const TEMPERATURES: readonly WeatherVariable[] = [
  'temperature',
  'temperatureMin',
  'temperatureMax',
  'soilTemperature',
];

/** A series as if it had been made at another height: temperatures change with it, and no dew point is above the air's. */
export function correctHeight(series: WeatherSeries, fromM: number, toM: number): WeatherSeries {
  const change = (fromM - toM) * LAPSE_C_PER_M;
  if (change === 0) return series;
  const values: Partial<Record<WeatherVariable, Float64Array>> = { ...series.values };
  for (const variable of TEMPERATURES) {
    const column = values[variable];
    if (column !== undefined) values[variable] = column.map((value) => value + change);
  }
  const { temperature, dewPoint } = values;
  if (temperature !== undefined && dewPoint !== undefined)
    values.dewPoint = dewPoint.map((value, i) => (temperature[i]! < value ? temperature[i]! : value));
  return { ...series, values };
}
