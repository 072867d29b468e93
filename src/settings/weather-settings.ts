import type { CallLimits, OpenMeteoServers } from '../weather/index.ts';
import type { SettingsOf } from './setting.ts';
import { isNetwork, parseHttpUrl } from './setting.ts';

/** Sources of weather by name. */
const WEATHER_PROVIDERS = ['grid', 'open-meteo'] as const;

/** Name of a source of weather. */
export type WeatherProviderName = (typeof WEATHER_PROVIDERS)[number];

/** Names of models of Open-Meteo; null for the server's own choice. */
interface OpenMeteoModels {
  readonly forecast: string | null;
  readonly archive: string | null;
}

/** The settings of weather. */
export interface WeatherConfig {
  readonly weatherProviders: readonly WeatherProviderName[];
  readonly openMeteoUrl: string | null;
  readonly openMeteoArchiveUrl: string | null;
  readonly openMeteoKey: string | null;
  readonly openMeteoModels: OpenMeteoModels;
  readonly openMeteoNetworks: readonly string[];
  readonly openMeteoCalls: CallLimits;
}

/** Reads SWATH_WEATHER_PROVIDERS: names in the order in which they are asked, with commas between them. */
function parseWeatherProviders(text: string): readonly WeatherProviderName[] {
  const names = text.split(',').map((word) => {
    const name = WEATHER_PROVIDERS.find((one) => one === word.trim());
    if (name === undefined) {
      throw new Error(`must list ${WEATHER_PROVIDERS.join(' and ')}, with commas between them`);
    }
    return name;
  });
  if (new Set(names).size !== names.length) throw new Error('must list each source once');
  return names;
}

/** Reads SWATH_OPEN_METEO_MODELS: `forecast=icon_eu archive=era5_seamless`, either or both. */
function parseOpenMeteoModels(text: string): OpenMeteoModels {
  const models = new Map<string, string>();
  for (const word of toWords(text)) {
    const [, kind, name] = /^(forecast|archive)=([a-z0-9_]{1,64})$/.exec(word) ?? [];
    if (kind === undefined || name === undefined || models.has(kind)) {
      throw new Error('must be forecast=model, archive=model or both, such as forecast=icon_eu archive=era5');
    }
    models.set(kind, name);
  }
  return { forecast: models.get('forecast') ?? null, archive: models.get('archive') ?? null };
}

/** The models in one line. */
function describeOpenMeteoModels({ forecast, archive }: OpenMeteoModels): string {
  return `forecast=${forecast ?? '(best)'} archive=${archive ?? '(best)'}`;
}

/** Reads SWATH_OPEN_METEO_NETWORKS: networks with spaces between them. */
function parseOpenMeteoNetworks(text: string): readonly string[] {
  const networks = toWords(text);
  const wrong = networks.find((word) => !isNetwork(word));
  if (wrong !== undefined)
    throw new Error(`lists "${wrong.slice(0, 80)}"; it must be networks such as 10.0.0.0/8`);
  return networks;
}

/** Reads SWATH_OPEN_METEO_CALLS: calls a minute, an hour and a day, such as `600/5000/10000`; 0 for no limit. */
function parseOpenMeteoCalls(text: string): CallLimits {
  const [, perMinute, perHour, perDay] = /^(\d{1,9})\/(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (perDay === undefined) {
    throw new Error('must be calls a minute, an hour and a day, such as 600/5000/10000; 0 for no limit');
  }
  return { perMinute: Number(perMinute), perHour: Number(perHour), perDay: Number(perDay) };
}

/** The limits in one line. */
const describeOpenMeteoCalls = ({ perMinute, perHour, perDay }: CallLimits): string =>
  `${perMinute}/${perHour}/${perDay}`;

/** Reads SWATH_OPEN_METEO_KEY. No message repeats it. */
function parseOpenMeteoKey(text: string): string {
  if (!/^[\x21-\x7e]{1,256}$/.test(text)) throw new Error('must be 1 to 256 characters without spaces');
  return text;
}

const toWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Hosts of Open-Meteo and of their archives (https://open-meteo.com/en/pricing): subscribers have their own. */
const HOSTED: Readonly<Record<string, string>> = {
  'https://api.open-meteo.com': 'https://archive-api.open-meteo.com',
  'https://customer-api.open-meteo.com': 'https://customer-archive-api.open-meteo.com',
};

/** The servers to ask: hosted ones unless the settings say otherwise; one's own server has the archive too. */
export function toOpenMeteoServers(config: {
  readonly openMeteoUrl: string | null;
  readonly openMeteoArchiveUrl: string | null;
  readonly openMeteoKey: string | null;
}): OpenMeteoServers {
  const hosted = `https://${config.openMeteoKey === null ? '' : 'customer-'}api.open-meteo.com`;
  const forecastUrl = config.openMeteoUrl ?? hosted;
  return { forecastUrl, archiveUrl: config.openMeteoArchiveUrl ?? HOSTED[forecastUrl] ?? forecastUrl };
}

/** How these settings are read. */
export const weatherSettings: SettingsOf<WeatherConfig> = {
  weatherProviders: {
    variable: 'SWATH_WEATHER_PROVIDERS',
    summary:
      'Sources of weather in the order of preference, separated by commas: grid is ingested data, open-meteo an Open-Meteo server.',
    fallbackText: 'grid',
    fallback: () => ['grid'] as const,
    parse: parseWeatherProviders,
  },
  openMeteoUrl: {
    variable: 'SWATH_OPEN_METEO_URL',
    summary: 'URL of the Open-Meteo server for forecasts, hosted or your own.',
    fallbackText: 'https://api.open-meteo.com, with a key https://customer-api.open-meteo.com',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  openMeteoArchiveUrl: {
    variable: 'SWATH_OPEN_METEO_ARCHIVE_URL',
    summary: 'URL of the Open-Meteo server for past weather.',
    fallbackText: 'the archive of the hosted service; your own server if SWATH_OPEN_METEO_URL names one',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  openMeteoKey: {
    variable: 'SWATH_OPEN_METEO_KEY',
    summary: 'Key of an Open-Meteo subscription.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseOpenMeteoKey,
    secret: true,
  },
  openMeteoModels: {
    variable: 'SWATH_OPEN_METEO_MODELS',
    summary:
      'Open-Meteo models, such as `forecast=icon_eu archive=era5_seamless`, either or both; by default the server chooses.',
    fallbackText: "(the server's choice)",
    fallback: () => ({ forecast: null, archive: null }),
    parse: parseOpenMeteoModels,
    show: describeOpenMeteoModels,
  },
  openMeteoNetworks: {
    variable: 'SWATH_OPEN_METEO_NETWORKS',
    summary:
      'Private networks such as `10.0.0.0/8` in which your own Open-Meteo server may be, separated by spaces.',
    fallbackText: '(none)',
    fallback: () => [],
    parse: parseOpenMeteoNetworks,
    show: (networks) => networks.join(' ') || '(none)',
  },
  openMeteoCalls: {
    variable: 'SWATH_OPEN_METEO_CALLS',
    summary:
      'Max calls to the Open-Meteo server per minute, hour and day, as it counts them, for each process; 0 for no limit.',
    fallbackText: '600/5000/10000',
    fallback: () => ({ perMinute: 600, perHour: 5_000, perDay: 10_000 }),
    parse: parseOpenMeteoCalls,
    show: describeOpenMeteoCalls,
  },
};
