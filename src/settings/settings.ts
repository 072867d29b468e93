import { availableParallelism, totalmem } from 'node:os';
import type { CatalogConfig } from './catalog-settings.ts';
import { catalogSettings } from './catalog-settings.ts';
import type { LimitConfig } from './limit-settings.ts';
import { limitSettings } from './limit-settings.ts';
import type { BucketSetting, ResultsSetting } from './object-settings.ts';
import { describeBucket, parseBucket, parseResults } from './object-settings.ts';
import type { ProxyConfig } from './proxy-settings.ts';
import { proxySettings } from './proxy-settings.ts';
import type { SettingsOf } from './setting.ts';
import {
  parseChoice,
  parseCount,
  parseDirectory,
  parseHttpUrl,
  parsePostgresUrl,
  parseSecret,
  parseText,
} from './setting.ts';
import type { SignInConfig } from './sign-in-settings.ts';
import { signInSettings } from './sign-in-settings.ts';
import type { Sources } from './source-settings.ts';
import { describeSources, noSources, parseSources } from './source-settings.ts';
import type { TaskConfig } from './task-settings.ts';
import { taskSettings } from './task-settings.ts';
import type { TraceConfig } from './trace-settings.ts';
import { traceSettings } from './trace-settings.ts';
import type { ViewerConfig } from './viewer-settings.ts';
import { parseWatermark, viewerSettings } from './viewer-settings.ts';
import type { WatchConfig } from './watch-settings.ts';
import { watchSettings } from './watch-settings.ts';
import type { WeatherConfig } from './weather-settings.ts';
import { weatherSettings } from './weather-settings.ts';

/** Every setting of the service, parsed and frozen. */
export interface Config
  extends CatalogConfig,
    TaskConfig,
    TraceConfig,
    ViewerConfig,
    WatchConfig,
    WeatherConfig,
    ProxyConfig,
    LimitConfig,
    SignInConfig {
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
  readonly sharedTiles: ResultsSetting;
  readonly rangeCacheMb: number;
  readonly prefetch: boolean;
  readonly renderTimeoutMs: number;
  readonly maxAgeS: number;
  readonly watermark: string;
  readonly thumbnails: 'signed' | 'provider' | 'off';
  readonly thumbnailsPerMinute: number;
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
    summary:
      'Max open connections. Beyond that, the connection that has kept the server waiting longest is closed.',
    fallbackText: '1000',
    fallback: () => 1_000,
    parse: (text) => parseCount(text, 10, 100_000),
  },
  connectionsPerAddress: {
    variable: 'SWATH_CONNECTIONS_PER_ADDRESS',
    summary:
      'Max open connections per client address, or per IPv6 /64 network; not counted with SWATH_TRUST_PROXY.',
    fallbackText: '256',
    fallback: () => 256,
    parse: (text) => parseCount(text, 1, 100_000),
  },
  dataDir: {
    variable: 'SWATH_DATA',
    summary: 'Directory for the catalog, keys and scenes; created if missing.',
    fallbackText: './data',
    fallback: () => parseDirectory('data'),
    parse: parseDirectory,
  },
  databaseUrl: {
    variable: 'SWATH_DATABASE_URL',
    summary:
      'PostgreSQL with PostGIS for the catalog and keys, such as `postgres://user:password@host/database`, in place of a file in the data directory. `?connect_timeout=10` gives it 10 seconds to answer instead of 2.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parsePostgresUrl,
    secret: true,
  },
  storeCacheMs: {
    variable: 'SWATH_STORE_CACHE_MS',
    summary:
      'How long keys, scenes, recipes and elevation models read from PostgreSQL are cached at most, in milliseconds. Changes on other nodes take effect at once, because PostgreSQL reports them; without reports, values are cached for 2 seconds at most. 0 disables the cache.',
    fallbackText: '60000',
    fallback: () => 60_000,
    parse: (text) => parseCount(text, 0, 3_600_000),
  },
  sources: {
    variable: 'SWATH_SOURCES',
    summary:
      'Where files of scenes may lie besides the data directory: `/folder`, `https://host` and `s3://bucket`, separated by spaces, or a `.json` file with more options.',
    fallbackText: '(nowhere else)',
    fallback: () => noSources,
    parse: parseSources,
    show: describeSources,
  },
  ...catalogSettings,
  results: {
    variable: 'SWATH_RESULTS',
    summary:
      'Where results of tasks are stored in place of the data directory: a `/folder` that all nodes share, or `s3://bucket/prefix` in a bucket that the `s3` part of SWATH_SOURCES lists with credentials.',
    fallbackText: '(the data directory)',
    fallback: () => null,
    parse: parseResults,
    show: describeBucket,
  },
  resultsDelivery: {
    variable: 'SWATH_RESULTS_DELIVERY',
    summary:
      'How clients get results from a bucket: proxy streams them through Swath; redirect sends clients to a signed URL of the bucket, which they must be able to reach.',
    fallbackText: 'proxy',
    fallback: () => 'proxy' as const,
    parse: (text) => parseChoice(text, ['proxy', 'redirect']),
  },
  cubes: {
    variable: 'SWATH_CUBES',
    summary:
      'Where what Swath makes for all nodes is stored in place of the data directory: data cubes of weather and soil moisture, weather stations, low zoom levels of mosaics, overviews of elevation models, converted files, the demo world, and tile matrix sets of the operator. `s3://bucket/prefix` in a bucket that the `s3` part of SWATH_SOURCES lists with credentials.',
    fallbackText: '(the data directory)',
    fallback: () => null,
    parse: parseBucket,
    show: describeBucket,
  },
  apiKey: {
    variable: 'SWATH_API_KEY',
    summary: 'A key that is valid while this is set, in addition to the stored ones.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseSecret,
    secret: true,
  },
  publicUrl: {
    variable: 'SWATH_PUBLIC_URL',
    summary: 'Public URL of the service behind a proxy; used in links and tile templates.',
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
    summary: 'Memory for decoded blocks, shared by all threads, in MiB.',
    fallbackText: '5 % of the memory, at least 256',
    fallback: () => Math.max(256, Math.floor((0.05 * availableMemory()) / 2 ** 20)),
    parse: (text) => parseCount(text, 0, 1_048_576),
  },
  memoryMb: {
    variable: 'SWATH_MEMORY_MB',
    summary:
      'Memory for pixels in progress, in MiB, half of it for tiles and half for tasks; work that does not fit waits.',
    fallbackText: '512',
    fallback: () => 512,
    parse: (text) => parseCount(text, 256, 1_048_576),
  },
  tileCacheMb: {
    variable: 'SWATH_TILE_CACHE',
    summary: 'Disk space for finished pictures, in MiB; 0 disables the cache.',
    fallbackText: '0',
    fallback: () => 0,
    parse: (text) => parseCount(text, 0, 16_777_216),
  },
  sharedTiles: {
    variable: 'SWATH_SHARED_TILES',
    summary:
      'Where finished pictures are shared between nodes, behind the cache of each: `s3://bucket/prefix` in a bucket that the `s3` part of SWATH_SOURCES lists with credentials, or the absolute path of a folder that all nodes mount.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseResults,
    show: (place) => place ?? '(none)',
  },
  rangeCacheMb: {
    variable: 'SWATH_RANGE_CACHE',
    summary:
      'Disk space for cached bytes of remote files, in MiB; 0 disables the cache. Used only if SWATH_SOURCES or SWATH_CATALOGS list hosts or buckets.',
    fallbackText: '1024',
    fallback: () => 1_024,
    parse: (text) => parseCount(text, 0, 16_777_216),
  },
  prefetch: {
    variable: 'SWATH_PREFETCH',
    summary:
      'Whether an idle server prefetches bytes of remote files that a map may need next, at most as many as were requested: on or off.',
    fallbackText: 'on',
    fallback: () => true,
    parse: onOff,
    show: (value) => (value ? 'on' : 'off'),
  },
  renderTimeoutMs: {
    variable: 'SWATH_RENDER_TIMEOUT_MS',
    summary:
      'Time limit of one render, in milliseconds. It waits for its turn as long, and at least 10 seconds.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 100, 600_000),
  },
  maxAgeS: {
    variable: 'SWATH_MAX_AGE_S',
    summary: 'How long clients may cache a rendered tile, in seconds.',
    fallbackText: '3600',
    fallback: () => 3600,
    parse: (text) => parseCount(text, 0, 31_536_000),
  },
  watermark: {
    variable: 'SWATH_WATERMARK',
    summary: 'Watermark of previews: up to 40 letters, digits and common signs.',
    fallbackText: 'Swath preview',
    fallback: () => 'Swath preview',
    parse: parseWatermark,
  },
  thumbnails: {
    variable: 'SWATH_THUMBNAILS',
    summary:
      'The `thumbnail` URL of hits: signed is always a URL of this service that works without a key; provider is the URL of the provider if there is one, otherwise ours, signed; off is the URL of the provider, or ours, which needs a key.',
    fallbackText: 'signed',
    fallback: () => 'signed' as const,
    parse: (text) => parseChoice(text, ['signed', 'provider', 'off']),
  },
  thumbnailsPerMinute: {
    variable: 'SWATH_THUMBNAILS_PER_MINUTE',
    summary:
      'Max requests for signed thumbnails per minute and client address, or IPv6 /64 network, counted over all nodes of a database. 0 for no limit.',
    fallbackText: '600',
    fallback: () => 600,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  ...limitSettings,
  ...signInSettings,
  ...taskSettings,
  ...watchSettings,
  ...weatherSettings,
  ...viewerSettings,
  ...proxySettings,
  drainMs: {
    variable: 'SWATH_DRAIN_MS',
    summary: 'How long a shutdown waits for requests in flight, in milliseconds.',
    fallbackText: '20000',
    fallback: () => 20_000,
    parse: (text) => parseCount(text, 0, 600_000),
  },
  lingerMs: {
    variable: 'SWATH_LINGER_MS',
    summary:
      'How long to go on answering after a stop signal, with /readyz at 503, so that a load balancer sends requests elsewhere; in milliseconds.',
    fallbackText: '0',
    fallback: () => 0,
    parse: (text) => parseCount(text, 0, 60_000),
  },
  demo: {
    variable: 'SWATH_DEMO',
    summary:
      'on creates the demo world at the first start if the catalog is empty; small creates one scene and its terrain; off starts empty.',
    fallbackText: 'on',
    fallback: () => 'on' as const,
    parse: (text) => parseChoice(text, ['on', 'small', 'off']),
  },
  metrics: {
    variable: 'SWATH_METRICS',
    summary:
      'Who may read Prometheus metrics at /metrics: open means anyone, key any valid key, off nobody; auto means open if SWATH_HOST is a loopback address, otherwise key.',
    fallbackText: 'auto',
    fallback: () => 'auto',
    parse: (text) => parseChoice(text, ['auto', 'open', 'key', 'off']),
  },
  ...traceSettings,
  trustProxy: {
    variable: 'SWATH_TRUST_PROXY',
    summary:
      'on takes the client address from the last entry of X-Forwarded-For; only behind a proxy that sets it.',
    fallbackText: 'off',
    fallback: () => false,
    parse: onOff,
  },
  log: {
    variable: 'SWATH_LOG',
    summary:
      'Log level: silent, error, warn, info or debug; SIGUSR2 switches a running service to debug and back.',
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
