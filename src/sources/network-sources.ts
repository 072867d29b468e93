import { isIP } from 'node:net';
import type { Clock } from '../async/index.ts';
import { systemClock } from '../async/index.ts';
import type { Subject } from '../errors.ts';
import type { FolderHandle } from '../files/index.ts';
import type {
  AddressPolicy,
  GuardedFetch,
  NetworkTimeouts,
  ProxySettings,
  ResolveName,
  Upstream,
  UpstreamEvents,
  UpstreamLimits,
} from '../net/index.ts';
import {
  addressNotAllowed,
  DEFAULT_TIMEOUTS,
  isPublicAddress,
  makeGuardedFetch,
  makeUpstream,
  portOf,
  toAddressOrigin,
} from '../net/index.ts';
import type { S3Store } from '../net/s3.ts';
import { parseS3Endpoint } from '../net/s3.ts';
import type { TokenService } from './sas-tokens.ts';

/** Buckets that may be read, and the store they live in. */
export interface S3Buckets extends S3Store {
  readonly buckets: readonly string[];
}

/** What may be read over the network: plain data, so that it can be given to a thread. */
export interface NetworkSources {
  /** Hosts of http(s) hrefs, exact or `*.suffix`; left out: no host. */
  readonly hosts?: readonly string[];
  readonly allowHttp?: boolean;
  readonly ports?: readonly number[];
  /** Networks (CIDR) inside which hosts and S3 endpoints may lie although they are not public. */
  readonly privateNetworks?: readonly string[];
  readonly maxRedirects?: number;
  readonly s3?: readonly S3Buckets[];
  /** Services that give tokens for files of some of the hosts. */
  readonly tokens?: readonly TokenService[];
  /** The way to all of these, where it leads through a proxy. */
  readonly proxy?: ProxySettings | undefined;
  /** Who asks, where a service wants to know whom to write to. */
  readonly userAgent?: string;
  readonly timeouts?: Partial<NetworkTimeouts>;
  readonly limits?: Partial<UpstreamLimits>;
}

/** How sources are opened. */
export interface OpenSourceOptions {
  readonly dataDir: string;
  /** Folders outside the data directory that may be read, as absolute paths. */
  readonly folders?: readonly string[];
  /** Left out: only files are read. */
  readonly network?: NetworkSources;
  /** Headers of remote files on disk; left out: their stores are asked whenever a file is opened. */
  readonly headers?: FolderHandle;
  /** Ranges of remote files on disk; left out: none are stored. */
  readonly ranges?: FolderHandle;
  /** What errors are about; files of scenes by default. */
  readonly subject?: Subject;
  readonly clock?: Clock;
  readonly resolveName?: ResolveName;
  /** Told what calls come to, for the metrics. */
  readonly events?: UpstreamEvents;
}

/** Builds the guarded fetch of some addresses, with the limits of all. */
export function makeSourceFetch(
  { resolveName }: OpenSourceOptions,
  { timeouts, maxRedirects, privateNetworks, proxy, userAgent }: NetworkSources,
  policy: AddressPolicy,
): GuardedFetch {
  return makeGuardedFetch({
    policy: { ...policy, privateNetworks },
    timeouts,
    maxRedirects,
    resolveName,
    proxy,
    userAgent,
  });
}

/** Builds the limits, retries and breakers of all origins. */
export function makeSourceUpstream({ clock, events }: OpenSourceOptions, network: NetworkSources): Upstream {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...network.timeouts };
  return makeUpstream({ totalMs: timeouts.totalMs, ...network.limits }, clock ?? systemClock, events);
}

/** The store that a bucket lives in, and the only way to it. */
interface S3Door {
  readonly store: S3Store;
  readonly fetch: GuardedFetch;
}

/** Builds the look-up of the store of a bucket; a bucket that the settings do not name is refused. */
export function makeS3Doors(options: OpenSourceOptions, network: NetworkSources): (bucket: string) => S3Door {
  // Each store has a guarded fetch of its own, which reaches its endpoint and nothing else.
  const doors = (network.s3 ?? []).map((store) => {
    const endpoint = parseS3Endpoint(store);
    const policy: AddressPolicy = {
      hosts: [endpoint.hostname, `*.${endpoint.hostname}`],
      allowHttp: endpoint.protocol === 'http:',
      ports: [portOf(endpoint)],
    };
    return { store, fetch: makeSourceFetch(options, { ...network, maxRedirects: 0 }, policy) };
  });
  return (bucket) => {
    const found = doors.find(({ store }) => store.buckets.includes(bucket));
    if (found === undefined) throw addressNotAllowed(`bucket ${bucket} is not in the list`);
    return found;
  };
}

/**
 * How an operator allows an address, to follow "… is not allowed; ". The short form of SWATH_SOURCES takes public hosts by
 * https on the default port; for anything else the words of the JSON form are given.
 */
export function toSourceAdvice(address: string): string {
  const origin = toAddressOrigin(address) ?? address;
  const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null;
  if (url === null) return `add ${origin} to SWATH_SOURCES`;
  const words = listWords(url);
  if (words.length === 0) return `add ${origin} to SWATH_SOURCES`;
  return `let SWATH_SOURCES name a .json file with ${[`"hosts": ["${url.hostname}"]`, ...words].join(', ')}, because its short form takes only public hosts by https on port 443`;
}

/** What the JSON form needs in addition to the host. */
function listWords(url: URL): readonly string[] {
  const [isPlain, port, name] = [url.protocol === 'http:', portOf(url), url.hostname.replace(/^\[|\]$/g, '')];
  const version = isIP(name);
  return [
    ...(isPlain ? ['"allowHttp": true'] : []),
    ...(url.port === '' ? [] : [`"ports": [${port}]`]),
    ...(version === 0 || isPublicAddress(name)
      ? []
      : [`"privateNetworks": ["${name}/${version === 4 ? 32 : 128}"]`]),
  ];
}
