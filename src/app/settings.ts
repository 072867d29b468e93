import { availableParallelism, totalmem } from 'node:os';
import { canWrite } from '../color/index.ts';
import type { CallLimits } from '../weather/index.ts';
import type { BucketSetting } from './bucket-setting.ts';
import { describeBucket, parseBucket } from './bucket-setting.ts';
import type { CallbackHosts } from './callback-hosts.ts';
import { describeCallbackHosts, parseCallbackHosts, publicHosts } from './callback-hosts.ts';
import {
  parseChoice,
  parseCount,
  parseDirectory,
  parseHttpUrl,
  parsePostgresUrl,
  parseSecret,
  parseText,
} from './setting-parsers.ts';
import type { Sources } from './source-settings.ts';
import { describeSources, noSources, parseSources } from './source-settings.ts';
import type { OpenMeteoModels, WeatherProviderName } from './weather-settings.ts';
import {
  describeOpenMeteoCalls,
  describeOpenMeteoModels,
  parseOpenMeteoCalls,
  parseOpenMeteoKey,
  parseOpenMeteoModels,
  parseOpenMeteoNetworks,
  parseWeatherProviders,
} from './weather-settings.ts';

/** Every setting of the service, parsed and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly storeCacheMs: number;
  readonly sources: Sources;
  readonly results: BucketSetting;
  readonly resultsDelivery: 'proxy' | 'redirect';
  readonly cubes: BucketSetting;
  readonly apiKey: string | null;
  readonly publicUrl: string | null;
  readonly threads: number;
  readonly cacheMb: number;
  readonly memoryMb: number;
  readonly tileCacheMb: number;
  readonly prefetch: boolean;
  readonly renderTimeoutMs: number;
  readonly maxAgeS: number;
  readonly watermark: string;
  readonly thumbnails: 'signed' | 'provider' | 'off';
  readonly thumbnailsPerMinute: number;
  readonly areasPerKey: number;
  readonly areaMbPerKey: number;
  readonly colormapsPerKey: number;
  readonly writesPerMinute: number;
  readonly statisticsPerMinute: number;
  readonly roles: 'all' | 'api' | 'worker';
  readonly taskSlots: number;
  readonly tasksPerKey: number;
  readonly openTasks: number;
  readonly resultMbPerKey: number;
  readonly resultDays: number;
  readonly taskTimeoutS: number;
  readonly taskLeaseMs: number;
  readonly statisticsScenes: number;
  readonly statisticsKm2: number;
  readonly statisticsIndices: number;
  readonly callbackHosts: CallbackHosts;
  readonly callbackRetryMs: number;
  readonly callbacksPerMinute: number;
  readonly weatherProviders: readonly WeatherProviderName[];
  readonly openMeteoUrl: string | null;
  readonly openMeteoArchiveUrl: string | null;
  readonly openMeteoKey: string | null;
  readonly openMeteoModels: OpenMeteoModels;
  readonly openMeteoNetworks: readonly string[];
  readonly openMeteoCalls: CallLimits;
  readonly drainMs: number;
  readonly lingerMs: number;
  readonly demo: 'on' | 'small' | 'off';
  readonly metrics: 'auto' | 'open' | 'key' | 'off';
  readonly trustProxy: boolean;
  readonly log: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly logFormat: 'auto' | 'json' | 'text';
}

/** How one setting is read from the environment and explained to a person. */
export interface Setting<Value> {
  readonly variable: string;
  readonly summary: string;
  /** What `doctor` and the documentation show as the default. */
  readonly fallbackText: string;
  readonly fallback: () => Value;
  readonly parse: (text: string) => Value;
  /** Never printed. */
  readonly secret?: boolean;
  /** How a value that is not plain text is shown. */
  readonly show?: (value: Value) => string;
}

/** What a container may use, or the machine has. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const onOff = (text: string): boolean => parseChoice(text, ['on', 'off']) === 'on';

/** The table of settings; `docs/operate.md` repeats it and a test compares the two. */
export const settings: { readonly [Name in keyof Config]: Setting<Config[Name]> } = {
  host: {
    variable: 'SWATH_HOST',
    summary: 'Address to listen on; 0.0.0.0 opens the service to the network.',
    fallbackText: '127.0.0.1',
    fallback: () => '127.0.0.1',
    parse: parseText,
  },
  port: {
    variable: 'SWATH_PORT',
    summary: 'Port to listen on; 0 takes any free one.',
    fallbackText: '8080',
    fallback: () => 8080,
    parse: (text) => parseCount(text, 0, 65_535),
  },
  connections: {
    variable: 'SWATH_CONNECTIONS',
    summary: 'Max open connections. With more, the one that has made the server wait longest is closed.',
    fallbackText: '1000',
    fallback: () => 1_000,
    parse: (text) => parseCount(text, 10, 100_000),
  },
  connectionsPerAddress: {
    variable: 'SWATH_CONNECTIONS_PER_ADDRESS',
    summary:
      'Open connections of one client address, or of one IPv6 network of /64; not counted with SWATH_TRUST_PROXY.',
    fallbackText: '256',
    fallback: () => 256,
    parse: (text) => parseCount(text, 1, 100_000),
  },
  dataDir: {
    variable: 'SWATH_DATA',
    summary: 'Directory for the catalog, keys and scenes; made when missing.',
    fallbackText: './data',
    fallback: () => parseDirectory('data'),
    parse: parseDirectory,
  },
  databaseUrl: {
    variable: 'SWATH_DATABASE_URL',
    summary:
      'PostgreSQL with PostGIS to keep catalog and keys in, such as `postgres://user:password@host/database`, instead of a file in the data directory.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parsePostgresUrl,
    secret: true,
  },
  storeCacheMs: {
    variable: 'SWATH_STORE_CACHE_MS',
    summary:
      'How long keys, scenes and elevation models read from PostgreSQL are used before they are read again, in milliseconds: a key revoked or a scene replaced on another node is noticed after that time. 0 reads them for every request.',
    fallbackText: '2000',
    fallback: () => 2_000,
    parse: (text) => parseCount(text, 0, 60_000),
  },
  sources: {
    variable: 'SWATH_SOURCES',
    summary:
      'Where files of scenes may be stored in addition to the data directory: `/folder`, `https://host`, `s3://bucket`, with spaces between them, or a `.json` file that says more.',
    fallbackText: '(nowhere else)',
    fallback: () => noSources,
    parse: parseSources,
    show: describeSources,
  },
  results: {
    variable: 'SWATH_RESULTS',
    summary:
      'Where files that tasks have made are stored: `s3://bucket/prefix` of a bucket that the `s3` part of SWATH_SOURCES names with credentials, instead of the data directory.',
    fallbackText: '(the data directory)',
    fallback: () => null,
    parse: parseBucket,
    show: describeBucket,
  },
  resultsDelivery: {
    variable: 'SWATH_RESULTS_DELIVERY',
    summary:
      'How clients get results from a bucket: proxy passes the bytes on; redirect sends clients to the bucket by a signed address, which they must be able to reach.',
    fallbackText: 'proxy',
    fallback: () => 'proxy' as const,
    parse: (text) => parseChoice(text, ['proxy', 'redirect']),
  },
  cubes: {
    variable: 'SWATH_CUBES',
    summary:
      'Where the data cubes of weather and soil moisture are stored: `s3://bucket/prefix` of a bucket that the `s3` part of SWATH_SOURCES names with credentials, instead of the data directory.',
    fallbackText: '(the data directory)',
    fallback: () => null,
    parse: parseBucket,
    show: describeBucket,
  },
  apiKey: {
    variable: 'SWATH_API_KEY',
    summary: 'A key that is valid as long as this is set, in addition to the stored ones.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseSecret,
    secret: true,
  },
  publicUrl: {
    variable: 'SWATH_PUBLIC_URL',
    summary:
      'Address users reach the service at, when a proxy stands before it; used in links and tile templates.',
    fallbackText: '(from the request)',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  threads: {
    variable: 'SWATH_THREADS',
    summary: 'Pixel threads.',
    fallbackText: 'number of cores',
    fallback: () => availableParallelism(),
    parse: (text) => parseCount(text, 1, 256),
  },
  cacheMb: {
    variable: 'SWATH_CACHE_MB',
    summary: 'Memory for decoded blocks, all threads together, in MiB.',
    fallbackText: '5 % of the memory, at least 256',
    fallback: () => Math.max(256, Math.floor((0.05 * availableMemory()) / 2 ** 20)),
    parse: (text) => parseCount(text, 0, 1_048_576),
  },
  memoryMb: {
    variable: 'SWATH_MEMORY_MB',
    summary:
      'Memory for pixels being worked on, in MiB, half of it for tiles and half for tasks; work that does not fit waits.',
    fallbackText: '512',
    fallback: () => 512,
    parse: (text) => parseCount(text, 256, 1_048_576),
  },
  tileCacheMb: {
    variable: 'SWATH_TILE_CACHE',
    summary: 'Room on disk for finished pictures, in MiB; 0 keeps none.',
    fallbackText: '0',
    fallback: () => 0,
    parse: (text) => parseCount(text, 0, 16_777_216),
  },
  prefetch: {
    variable: 'SWATH_PREFETCH',
    summary:
      'Whether bytes of remote files that a map may need next are read while the server is idle, at most as many as were asked for: on or off.',
    fallbackText: 'on',
    fallback: () => true,
    parse: onOff,
    show: (value) => (value ? 'on' : 'off'),
  },
  renderTimeoutMs: {
    variable: 'SWATH_RENDER_TIMEOUT_MS',
    summary: 'Longest time one render may compute, in milliseconds.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 100, 600_000),
  },
  maxAgeS: {
    variable: 'SWATH_MAX_AGE_S',
    summary: 'How long clients may keep a rendered tile before asking again, in seconds.',
    fallbackText: '3600',
    fallback: () => 3600,
    parse: (text) => parseCount(text, 0, 31_536_000),
  },
  watermark: {
    variable: 'SWATH_WATERMARK',
    summary: 'What is written over previews: up to 40 letters, digits and common signs.',
    fallbackText: 'Swath preview',
    fallback: () => 'Swath preview',
    parse: parseWatermark,
  },
  thumbnails: {
    variable: 'SWATH_THUMBNAILS',
    summary:
      'Which `thumbnail` hits give: signed is always an address of this service, which works without a key; provider is that of the provider where it has one, and otherwise ours, signed; off is that of the provider, or ours that needs a key.',
    fallbackText: 'signed',
    fallback: () => 'signed' as const,
    parse: (text) => parseChoice(text, ['signed', 'provider', 'off']),
  },
  thumbnailsPerMinute: {
    variable: 'SWATH_THUMBNAILS_PER_MINUTE',
    summary:
      'Requests for signed thumbnails per minute from one client address, or from one IPv6 network of /64; each node counts on its own. 0 for no limit.',
    fallbackText: '600',
    fallback: () => 600,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  areasPerKey: {
    variable: 'SWATH_AREAS_PER_KEY',
    summary: 'Areas of interest that one key may store; 0 for no limit.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 0, 10_000_000),
  },
  areaMbPerKey: {
    variable: 'SWATH_AREA_MB_PER_KEY',
    summary: 'Room that the areas of one key may take in the store, in MiB; 0 for no limit.',
    fallbackText: '256',
    fallback: () => 256,
    parse: (text) => parseCount(text, 0, 1_048_576),
  },
  colormapsPerKey: {
    variable: 'SWATH_COLORMAPS_PER_KEY',
    summary: 'Custom colormaps, of up to 64 KiB, that one key may store; 0 for no limit.',
    fallbackText: '1000',
    fallback: () => 1_000,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  writesPerMinute: {
    variable: 'SWATH_WRITES_PER_MINUTE',
    summary:
      'Requests of one key per minute that store or delete something, in addition to the rate of the key; each node counts on its own. 0 for no limit.',
    fallbackText: '600',
    fallback: () => 600,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  statisticsPerMinute: {
    variable: 'SWATH_STATISTICS_PER_MINUTE',
    summary:
      'Requests of one key per minute to each of the two endpoints of the statistics address, POST /api/gdw/api and polls of its tasks; all nodes of a database count together. 0 for no limit.',
    fallbackText: '10',
    fallback: () => 10,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  roles: {
    variable: 'SWATH_ROLES',
    summary:
      'What this process does: all; api takes requests and orders, and leaves tasks to others; worker works on tasks, and answers only health checks and metrics. Several processes share a database, or a data directory on one machine.',
    fallbackText: 'all',
    fallback: () => 'all' as const,
    parse: (text) => parseChoice(text, ['all', 'api', 'worker']),
  },
  taskSlots: {
    variable: 'SWATH_TASK_SLOTS',
    summary:
      'Tasks that this process works on at the same time; up to twice as many when keys wait that have none among them.',
    fallbackText: 'twice the number of cores',
    fallback: () => 2 * availableParallelism(),
    parse: (text) => parseCount(text, 1, 256),
  },
  tasksPerKey: {
    variable: 'SWATH_TASKS_PER_KEY',
    summary: 'Tasks of one key that may wait or be worked on; 0 for no limit.',
    fallbackText: '50',
    fallback: () => 50,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  openTasks: {
    variable: 'SWATH_OPEN_TASKS',
    summary: 'Tasks of all keys that may wait or be worked on; 0 for no limit.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 0, 10_000_000),
  },
  resultMbPerKey: {
    variable: 'SWATH_RESULT_MB_PER_KEY',
    summary:
      'Room that the results of one key may take, with the estimates of its open tasks, in MiB; 0 for no limit.',
    fallbackText: '51200',
    fallback: () => 51_200,
    parse: (text) => parseCount(text, 0, 1_073_741_824),
  },
  resultDays: {
    variable: 'SWATH_RESULT_DAYS',
    summary: 'How long tasks and their results are stored after the end of the task, in days.',
    fallbackText: '7',
    fallback: () => 7,
    parse: (text) => parseCount(text, 1, 3_650),
  },
  taskTimeoutS: {
    variable: 'SWATH_TASK_TIMEOUT_S',
    summary: 'A task that is not over so long after its creation fails, in seconds.',
    fallbackText: '172800',
    fallback: () => 172_800,
    parse: (text) => parseCount(text, 1, 31_536_000),
  },
  taskLeaseMs: {
    variable: 'SWATH_TASK_LEASE_MS',
    summary:
      'A worker that gives no sign of life for so long loses its tasks to another one, in milliseconds; the same for all processes.',
    fallbackText: '15000',
    fallback: () => 15_000,
    parse: (text) => parseCount(text, 1_000, 600_000),
  },
  statisticsScenes: {
    variable: 'SWATH_STATISTICS_SCENES',
    summary: 'Scenes that one order of statistics may use.',
    fallbackText: '500',
    fallback: () => 500,
    parse: (text) => parseCount(text, 1, 10_000),
  },
  statisticsKm2: {
    variable: 'SWATH_STATISTICS_KM2',
    summary: 'The largest area of statistics, in square kilometres.',
    fallbackText: '200',
    fallback: () => 200,
    parse: (text) => parseCount(text, 1, 20_000),
  },
  statisticsIndices: {
    variable: 'SWATH_STATISTICS_INDICES',
    summary: 'Indices of one order on the statistics address.',
    fallbackText: '3',
    fallback: () => 3,
    parse: (text) => parseCount(text, 1, 10),
  },
  callbackHosts: {
    variable: 'SWATH_CALLBACK_HOSTS',
    summary:
      'Where callbacks of tasks may go: hosts such as `hooks.example.org`, `*.example.org` or `hooks.example.org:8443`, and networks such as `10.0.0.0/8` that may be called although they are not public, with spaces between them; off sends none.',
    fallbackText: '(any host with a public address)',
    fallback: () => publicHosts,
    parse: parseCallbackHosts,
    show: describeCallbackHosts,
  },
  callbackRetryMs: {
    variable: 'SWATH_CALLBACK_RETRY_MS',
    summary:
      'Wait between the first and the second attempt at a callback, in milliseconds; the next waits are 6, 30 and 180 times as long.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 1, 20_000),
  },
  callbacksPerMinute: {
    variable: 'SWATH_CALLBACKS_PER_MINUTE',
    summary:
      'Attempts at callbacks of one key per minute, each process on its own; what is above waits. 0 for no limit.',
    fallbackText: '120',
    fallback: () => 120,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  weatherProviders: {
    variable: 'SWATH_WEATHER_PROVIDERS',
    summary:
      'Sources of weather in the order in which they are asked: grid is what was ingested, open-meteo a server of that kind; with commas between them.',
    fallbackText: 'grid',
    fallback: () => ['grid'] as const,
    parse: parseWeatherProviders,
  },
  openMeteoUrl: {
    variable: 'SWATH_OPEN_METEO_URL',
    summary: 'Address of the Open-Meteo server of forecasts, hosted or your own.',
    fallbackText: 'https://api.open-meteo.com, with a key https://customer-api.open-meteo.com',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  openMeteoArchiveUrl: {
    variable: 'SWATH_OPEN_METEO_ARCHIVE_URL',
    summary: 'Address of the Open-Meteo server of past weather.',
    fallbackText: 'the archive of the hosted service; your own server if SWATH_OPEN_METEO_URL names one',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  openMeteoKey: {
    variable: 'SWATH_OPEN_METEO_KEY',
    summary: 'Key of a subscription to Open-Meteo.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseOpenMeteoKey,
    secret: true,
  },
  openMeteoModels: {
    variable: 'SWATH_OPEN_METEO_MODELS',
    summary:
      'Models of Open-Meteo, such as `forecast=icon_eu archive=era5_seamless`, either or both; without them the server chooses.',
    fallbackText: "(the server's choice)",
    fallback: () => ({ forecast: null, archive: null }),
    parse: parseOpenMeteoModels,
    show: describeOpenMeteoModels,
  },
  openMeteoNetworks: {
    variable: 'SWATH_OPEN_METEO_NETWORKS',
    summary:
      'Networks such as `10.0.0.0/8` in which your own Open-Meteo server may be although they are not public, with spaces between them.',
    fallbackText: '(none)',
    fallback: () => [],
    parse: parseOpenMeteoNetworks,
    show: (networks) => networks.join(' ') || '(none)',
  },
  openMeteoCalls: {
    variable: 'SWATH_OPEN_METEO_CALLS',
    summary:
      'Calls of the Open-Meteo server a minute, an hour and a day, as it counts them, each process on its own; 0 for no limit.',
    fallbackText: '600/5000/10000',
    fallback: () => ({ perMinute: 600, perHour: 5_000, perDay: 10_000 }),
    parse: parseOpenMeteoCalls,
    show: describeOpenMeteoCalls,
  },
  drainMs: {
    variable: 'SWATH_DRAIN_MS',
    summary: 'Longest time a shutdown waits for requests under way, in milliseconds.',
    fallbackText: '20000',
    fallback: () => 20_000,
    parse: (text) => parseCount(text, 0, 600_000),
  },
  lingerMs: {
    variable: 'SWATH_LINGER_MS',
    summary:
      'How long to go on listening after a stop signal, answering 503, so that a load balancer notices; in milliseconds.',
    fallbackText: '0',
    fallback: () => 0,
    parse: (text) => parseCount(text, 0, 60_000),
  },
  demo: {
    variable: 'SWATH_DEMO',
    summary:
      'on makes the demo world at first start when the catalog is empty; small makes one scene and the terrain of it; off starts empty.',
    fallbackText: 'on',
    fallback: () => 'on' as const,
    parse: (text) => parseChoice(text, ['on', 'small', 'off']),
  },
  metrics: {
    variable: 'SWATH_METRICS',
    summary:
      'Who may read Prometheus metrics at /metrics: open is anyone, key is any valid key, off is no one; auto is open if SWATH_HOST is a loopback address, otherwise key.',
    fallbackText: 'auto',
    fallback: () => 'auto',
    parse: (text) => parseChoice(text, ['auto', 'open', 'key', 'off']),
  },
  trustProxy: {
    variable: 'SWATH_TRUST_PROXY',
    summary:
      "on takes a client's address from the last entry of X-Forwarded-For; only behind a proxy that sets it.",
    fallbackText: 'off',
    fallback: () => false,
    parse: onOff,
  },
  log: {
    variable: 'SWATH_LOG',
    summary: 'Log level: silent, error, warn, info or debug.',
    fallbackText: 'info',
    fallback: () => 'info',
    parse: (text) => parseChoice(text, ['silent', 'error', 'warn', 'info', 'debug']),
  },
  logFormat: {
    variable: 'SWATH_LOG_FORMAT',
    summary: 'json, text, or auto: text on a terminal and JSON lines elsewhere.',
    fallbackText: 'auto',
    fallback: () => 'auto',
    parse: (text) => parseChoice(text, ['auto', 'json', 'text']),
  },
};

function parseWatermark(text: string): string {
  if (text.length > 40 || !canWrite(text)) {
    throw new Error("must be up to 40 letters A to Z, digits and signs of .,:;-_/'()&+!?@#*=");
  }
  return parseText(text);
}
