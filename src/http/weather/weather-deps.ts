import type { AreaParser, Areas } from '../../areas/index.ts';
import type { ReadWeatherDocument } from './weather-documents.ts';

/** What weather is answered with. */
export interface WeatherDeps {
  readonly readWeather: ReadWeatherDocument;
  readonly areas: Areas;
  readonly areaParser: AreaParser;
  /** The wall clock: the age of a run counts from it. */
  readonly now: () => Date;
  /** How long clients may cache what no longer changes. */
  readonly maxAgeS: number;
}
