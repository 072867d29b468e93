import type { WireError } from '../errors.ts';
import type { WeatherDocument, WeatherQuestion } from '../http/index.ts';
import type { JobType } from '../pool/index.ts';
import type { Heights } from '../weather/index.ts';
import type { Config } from './config.ts';
import type { WeatherConfig } from './weather-settings.ts';

/** What the weather thread answers. */
export type WeatherCalls = { read: JobType<WeatherQuestion, WeatherDocument | null> };

/** What the weather thread asks of the main thread: heights are read by the pixel threads, and there is one log. */
export type MainCalls = {
  'height-at': JobType<readonly [lon: number, lat: number], number | null>;
  'mean-height': JobType<Parameters<Heights['meanOf']>[0], number | null>;
  'provider-failed': JobType<{ readonly provider: string; readonly error: WireError }, null>;
};

/** The settings that the thread gets. */
export type WeatherThreadConfig = WeatherConfig & Pick<Config, 'dataDir' | 'cubes' | 'sources'>;
