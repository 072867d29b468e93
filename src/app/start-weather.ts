import type { ReadDaily } from '../bulk/index.ts';
import { fromWire } from '../errors.ts';
import type { Log, ReadWeatherDocument } from '../http/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import type { Heights } from '../weather/index.ts';
import type { Tracing } from './traced.ts';
import type { MainCalls, ProviderUse, WeatherCalls, WeatherThreadConfig } from './weather-worker.ts';

/** Far more than some requests need: ten years of hours are 100 MB of arrays, which are outside of the heap. */
const HEAP_LIMIT_MB = 1_024;

interface WeatherDeps {
  readonly config: Config;
  readonly heights: Heights;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
  readonly tracing: Tracing | null;
  /** Called after each question to a provider. */
  readonly onAsked: (use: ProviderUse) => void;
}

/**
 * Starts the thread that answers weather requests. Reading ten years of hours, computing days and writing them takes
 * hundreds of milliseconds, between waits for files and servers: too long for the main thread, and unsuitable for pixel
 * threads, which run one job at a time.
 */
export function startWeather({ config, heights, log, parts, tracing, onAsked }: WeatherDeps): {
  readonly readWeather: ReadWeatherDocument;
  readonly readDaily: ReadDaily;
} {
  const thread = makeCallThread<MainCalls, WeatherCalls>({
    script: new URL('./weather-worker.ts', import.meta.url),
    settings: toThreadConfig(config),
    heapLimitMb: HEAP_LIMIT_MB,
    context: tracing?.context,
    handlers: {
      'height-at': ([lon, lat]) => heights.at(lon, lat),
      'mean-height': (bounds) => heights.meanOf(bounds),
      'provider-asked': async (use) => {
        onAsked(use);
        return null;
      },
      'provider-failed': async ({ provider, error }) => {
        log.warn({ provider, err: fromWire(error) }, 'a provider of weather fails; the next one is asked');
        return null;
      },
    },
    onDeath: (error) =>
      log.error({ err: error }, 'the weather thread has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  return {
    readWeather: (question, signal) => thread.call('read', question, signal),
    readDaily: (request, signal) => thread.call('read-daily', request, signal),
  };
}

/** Settings of the thread; all else of the configuration stays here. */
const THREAD_SETTINGS = [
  'dataDir',
  'cubes',
  'sources',
  'weatherProviders',
  'openMeteoUrl',
  'openMeteoArchiveUrl',
  'openMeteoKey',
  'openMeteoModels',
  'openMeteoNetworks',
  'openMeteoCalls',
  'httpsProxy',
  'httpProxy',
  'noProxy',
] as const satisfies readonly (keyof Config)[];

const toThreadConfig = (config: Config): WeatherThreadConfig =>
  Object.fromEntries(THREAD_SETTINGS.map((name) => [name, config[name]])) as Pick<
    Config,
    (typeof THREAD_SETTINGS)[number]
  >;
