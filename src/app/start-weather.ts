import type { Weather } from '../weather/index.ts';
import type { Config } from './config.ts';

/** Builds all that answers about the weather: without a source, nothing is known. */
export function startWeather(_config: Config): Weather {
  const nothing = async (): Promise<null> => null;
  return {
    readDays: nothing,
    readHours: nothing,
    readNormals: nothing,
    readForecast: nothing,
    readComingDays: nothing,
  };
}
