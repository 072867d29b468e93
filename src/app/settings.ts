import { availableParallelism, totalmem } from 'node:os';
import { canWrite } from '../color/index.ts';
import type { BucketSetting } from './bucket-setting.ts';
import { describeBucket, parseBucket } from './bucket-setting.ts';
import type { ResultsSetting } from './results-setting.ts';
import { parseResults } from './results-setting.ts';
import type { SettingsOf } from './setting.ts';
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
import type { TaskConfig } from './task-settings.ts';
import { taskSettings } from './task-settings.ts';
import type { WeatherConfig } from './weather-settings.ts';
import { weatherSettings } from './weather-settings.ts';

/** Every setting of the service, parsed and frozen. */
export interface Config extends TaskConfig, WeatherConfig {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly storeCacheMs: number;
  readonly sources: Sources;
  readonly results: ResultsSetting;
  readonly resultsDelivery: 'proxy' | 'redirect';
  readonly cubes: BucketSetting;
  readonly apiKey: string | null;
  readonly publicUrl: string | null;
  readonly threads: number;
  readonly cacheMb: number;
  readonly memoryMb: number;
  readonly tileCacheMb: number;
  readonly rangeCacheMb: number;
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
  readonly workPerMinute: number;
  readonly readOnlyWorkPerMinute: number;
  readonly statisticsPerMinute: number;
  readonly drainMs: number;
  readonly lingerMs: number;
  readonly demo: 'on' | 'small' | 'off';
  readonly metrics: 'auto' | 'open' | 'key' | 'off';
  readonly trustProxy: boolean;
  readonly log: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly logFormat: 'auto' | 'json' | 'text';
}

/** What a container may use, or the machine has. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const onOff = (text: string): boolean => parseChoice(text, ['on', 'off']) === 'on';

/** The table of settings; `docs/operate/settings.md` repeats it and a test compares the two. */
export const settings: SettingsOf<Config> = {
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
      'Where files that tasks have made are stored instead of the data directory: `/folder`, which all nodes share, or `s3://bucket/prefix` of a bucket that the `s3` part of SWATH_SOURCES names with credentials.',
    fallbackText: '(the data directory)',
    fallback: () => null,
    parse: parseResults,
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
  rangeCacheMb: {
    variable: 'SWATH_RANGE_CACHE',
    summary:
      'Room on disk for bytes of remote files that were read, in MiB; 0 stores none. Used only where SWATH_SOURCES names hosts or buckets.',
    fallbackText: '1024',
    fallback: () => 1_024,
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
    summary:
      'Room that the areas of one key may take in the store, in MiB: its stored areas as much, and those of its tasks as much. 0 for no limit.',
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
  workPerMinute: {
    variable: 'SWATH_WORK_PER_MINUTE',
    summary:
      'Budget of one key per minute for requests that cost the main thread time, such as searches, weather, orders and statistics, in milliseconds (docs/use/interface.md, "Limits"); each node counts on its own. 0 for no limit.',
    fallbackText: '12000',
    fallback: () => 12_000,
    parse: (text) => parseCount(text, 0, 1_000_000_000),
  },
  readOnlyWorkPerMinute: {
    variable: 'SWATH_READ_ONLY_WORK_PER_MINUTE',
    summary: 'The same budget of a key that may only read. 0 for no limit.',
    fallbackText: '6000',
    fallback: () => 6_000,
    parse: (text) => parseCount(text, 0, 1_000_000_000),
  },
  statisticsPerMinute: {
    variable: 'SWATH_STATISTICS_PER_MINUTE',
    summary:
      'Requests of one key per minute to each of the two endpoints of the statistics address, POST /api/gdw/api and polls of its tasks; all nodes of a database count together. 0 for no limit.',
    fallbackText: '10',
    fallback: () => 10,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  ...taskSettings,
  ...weatherSettings,
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
