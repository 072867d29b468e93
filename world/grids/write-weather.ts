import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../ground/world.ts';
import { worldYears } from '../setting/calendar.ts';
import { encodeForecast } from './weather-forecast.ts';
import { encodeSoilMoisture, encodeWeatherHistory } from './weather-history.ts';

/** Writes two years of weather and soil moisture, and one forecast run. */
export async function writeWeather(world: World, directory: string): Promise<void> {
  const span = `${worldYears.first}_${worldYears.last}`.replaceAll('-', '');
  const run = worldYears.last.replaceAll('-', '');
  await writeFile(join(directory, `weather-daily_${span}.nc`), encodeWeatherHistory(world));
  await writeFile(join(directory, `soil-moisture-daily_${span}.nc`), encodeSoilMoisture(world));
  await writeFile(join(directory, `forecast_${run}T00.nc`), encodeForecast(world));
}
