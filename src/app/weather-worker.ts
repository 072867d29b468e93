/** The script of the weather thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DailyRequest, ShapeDays } from '../bulk/index.ts';
import { makeDemoWeather } from '../demo/index.ts';
import type { WireError } from '../errors.ts';
import { toWire } from '../errors.ts';
import type { ReadWeatherDocument, WeatherDocument, WeatherQuestion } from '../http/index.ts';
import { makeReadWeatherDocument } from '../http/index.ts';
import type { Caller, CallHandlers, JobType } from '../pool/index.ts';
import { connectCalls, withTransfer } from '../pool/index.ts';
import type { Config, ProxyConfig, WeatherConfig, WeatherProviderName } from '../settings/index.ts';
import { toOpenMeteoServers, toProxy } from '../settings/index.ts';
import { makeSoilMoisture, openMoistureCubes } from '../soil-moisture/index.ts';
import type { Heights, Weather, WeatherProvider } from '../weather/index.ts';
import {
  makeGridProvider,
  makeOpenMeteo,
  makeOpenMeteoFetch,
  makeStationProvider,
  makeWeather,
  openStations,
  openWeatherCubes,
} from '../weather/index.ts';
import { makeReadDaily } from './read-daily.ts';
import { carryTraces } from './start-tracing.ts';

/** Calls that the weather thread answers. */
export type WeatherCalls = {
  read: JobType<WeatherQuestion, WeatherDocument | null>;
  /** Days of weather and soil moisture, for tables of many fields. */
  'read-daily': JobType<DailyRequest, readonly ShapeDays[]>;
};

/** Calls to the main thread: pixel threads read heights, and there is one log. */
export type MainCalls = {
  'height-at': JobType<readonly [lon: number, lat: number], number | null>;
  'mean-height': JobType<Parameters<Heights['meanOf']>[0], number | null>;
  'provider-asked': JobType<ProviderUse, null>;
  'provider-failed': JobType<{ readonly provider: string; readonly error: WireError }, null>;
};

/** A question to a provider of weather. */
export interface ProviderUse {
  readonly provider: string;
  /** `nothing` if the provider has no values for these days and this location. */
  readonly outcome: 'answered' | 'nothing' | 'failed';
  readonly ms: number;
}

/** Settings of the thread. */
export type WeatherThreadConfig = WeatherConfig & ProxyConfig & Pick<Config, 'dataDir' | 'cubes' | 'sources'>;

if (parentPort === null) throw new Error('The weather thread is started by the service.');

const handlers: CallHandlers<WeatherCalls> = {
  async read(question, signal) {
    const document = await read(question, signal);
    return document === null ? null : withTransfer(document, [document.bytes.buffer]);
  },
  async 'read-daily'(request, signal) {
    const days = await readDaily(request, signal);
    return withTransfer(
      days,
      days.map(({ values }) => values.buffer),
    );
  },
};
const main: Caller<MainCalls> = connectCalls<WeatherCalls, MainCalls>(
  parentPort,
  handlers,
  await carryTraces(),
);
const threadConfig = workerData as WeatherThreadConfig;
const weather = buildWeather({
  config: threadConfig,
  heights: {
    at: (lon, lat) => main.call('height-at', [lon, lat]),
    meanOf: (bounds) => main.call('mean-height', bounds),
  },
  onAsked: (use) => void main.call('provider-asked', use).catch(() => {}),
  onFailure: (provider, error) =>
    void main.call('provider-failed', { provider, error: toWire(error) }).catch(() => {}),
});
const read: ReadWeatherDocument = makeReadWeatherDocument(weather);
const readDaily = makeReadDaily({
  weather,
  soilMoisture: makeSoilMoisture({ cubes: openMoistureCubes(threadConfig) }),
});

interface WeatherDeps {
  readonly config: WeatherThreadConfig;
  readonly heights: Heights;
  /** Called after each question to a provider. */
  readonly onAsked?: (use: ProviderUse) => void;
  /** Called when a provider could not answer and the next one is tried. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Builds weather from the providers of the settings, in their order. */
export function buildWeather({ config, heights, onFailure, onAsked = () => {} }: WeatherDeps): Weather {
  const make: Record<WeatherProviderName, () => readonly WeatherProvider[]> = {
    // The demo world has weather of its own, which goes before that of other providers.
    grid: () => [
      makeGridProvider({ ...openWeatherCubes(config), heights }),
      makeStationProvider({ stations: openStations(config), heights }),
      makeDemoWeather({ config, nowMs: Date.now }),
    ],
    'open-meteo': () => [openOpenMeteo(config)],
  };
  return makeWeather({
    providers: config.weatherProviders
      .flatMap((name) => make[name]())
      .map((provider) => measureProvider(provider, onAsked)),
    heights,
    wallClockMs: Date.now,
    onFailure,
  });
}

/** A provider whose questions are timed. */
function measureProvider(provider: WeatherProvider, onAsked: (use: ProviderUse) => void): WeatherProvider {
  const { name } = provider;
  async function timed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const startedMs = performance.now();
    let outcome: ProviderUse['outcome'] = 'failed';
    try {
      const answer = await ask();
      outcome = answer === null ? 'nothing' : 'answered';
      return answer;
    } finally {
      onAsked({ provider: name, outcome, ms: performance.now() - startedMs });
    }
  }
  return {
    ...provider,
    readHistory: (request) => timed(() => provider.readHistory(request)),
    readForecast: (request) => timed(() => provider.readForecast(request)),
  };
}

function openOpenMeteo(config: WeatherThreadConfig): WeatherProvider {
  const servers = toOpenMeteoServers(config);
  return makeOpenMeteo({
    ...servers,
    fetch: makeOpenMeteoFetch({
      ...servers,
      privateNetworks: config.openMeteoNetworks,
      proxy: toProxy(config),
    }),
    key: config.openMeteoKey,
    models: config.openMeteoModels,
    limits: config.openMeteoCalls,
  });
}
