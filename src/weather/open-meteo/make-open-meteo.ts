import { makeTtlCache } from '../../async/index.ts';
import type { GuardedFetch } from '../../net/index.ts';
import type { WeatherProvider } from '../weather-provider.ts';
import type { CallLimits, OpenMeteoServers } from './ask-server.ts';
import { makeServerAccess } from './ask-server.ts';
import { readForecast } from './read-forecast.ts';
import { readHistory } from './read-history.ts';
import type { ReaderContext, ReadHours } from './read-hours.ts';

/** What the provider needs. */
export interface OpenMeteoDeps extends OpenMeteoServers {
  /** Made by `makeOpenMeteoFetch`. */
  readonly fetch: GuardedFetch;
  /** Sent as `apikey`; null for none. */
  readonly key: string | null;
  /** Names of `models=`; null for the server's own choice. */
  readonly models: ReaderContext['models'];
  readonly limits: CallLimits;
  /** Memory for cached answers. */
  readonly cacheBytes?: number;
  /** Delay before the retry of a failed request. */
  readonly retryDelayMs?: number;
  /** The wall clock. */
  readonly nowMs?: () => number;
}

/** About a hundred years of all variables at one location. */
const CACHE_BYTES = 64 * 2 ** 20;
const RETRY_DELAY_MS = 500;

/** Builds the provider of weather from an Open-Meteo server, hosted or one's own. */
export function makeOpenMeteo(deps: OpenMeteoDeps): WeatherProvider {
  const { models, nowMs = Date.now, cacheBytes = CACHE_BYTES, retryDelayMs = RETRY_DELAY_MS } = deps;
  const context: ReaderContext = {
    access: makeServerAccess({ ...deps, nowMs, retryDelayMs }),
    cache: makeTtlCache({ nowMs, freshMs: 0, max: cacheBytes, sizeOf }),
    models,
    nowMs,
  };
  return {
    name: 'open-meteo',
    readHistory: (request) => readHistory(context, request),
    readForecast: (request) => readForecast(context, request),
  };
}

/** The approximate size of an entry without its values. */
const ENTRY_BYTES = 1_000;

const sizeOf = ({ steps }: ReadHours): number =>
  Object.values(steps?.values ?? {}).reduce((sum, { byteLength }) => sum + byteLength, ENTRY_BYTES);
