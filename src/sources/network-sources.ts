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
import type { SignedAddresses, TokenService } from './sas-tokens.ts';
import { makeSignedAddresses } from './sas-tokens.ts';

/** Buckets that may be read, and their store. */
export interface S3Buckets extends S3Store {
  readonly buckets: readonly string[];
}

/** What may be read over the network; plain data, so that it can be sent to a thread. */
export interface NetworkSources {
  /** Hosts of http(s) hrefs, exact or `*.suffix`; none by default. */
  readonly hosts?: readonly string[];
  readonly allowHttp?: boolean;
  readonly ports?: readonly number[];
  /** Networks (CIDR) that are not public, in which hosts and S3 endpoints are allowed. */
  readonly privateNetworks?: readonly string[];
  readonly maxRedirects?: number;
  readonly s3?: readonly S3Buckets[];
  /** Services that issue tokens for files of some hosts. */
  readonly tokens?: readonly TokenService[];
  /** The way to all of these, where it leads through a proxy. */
  readonly proxy?: ProxySettings | undefined;
  /** Who asks, where a service wants to know whom to write to. */
  readonly userAgent?: string;
  readonly timeouts?: Partial<NetworkTimeouts>;
  readonly limits?: Partial<UpstreamLimits>;
}

/** Options for opening sources. */
export interface OpenSourceOptions {
  readonly dataDir: string;
  /** Folders outside the data directory that may be read, as absolute paths. */
  readonly folders?: readonly string[];
  /** Without it only local files are read. */
  readonly network?: NetworkSources;
  /** Headers of remote files on disk; without them every opening sends a request. */
  readonly headers?: FolderHandle;
  /** Ranges of remote files on disk; by default none are stored. */
  readonly ranges?: FolderHandle;
  /** The subject of errors; files of scenes by default. */
  readonly subject?: Subject;
  readonly clock?: Clock;
  readonly resolveName?: ResolveName;
  /** Called for each event, for the metrics. */
  readonly events?: UpstreamEvents;
}

/** Builds the guarded fetch for some addresses, with the limits of all sources. */
function makeSourceFetch(
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

/** Builds the caller of all origins, with limits, retries and breakers. */
export function makeSourceUpstream({ clock, events }: OpenSourceOptions, network: NetworkSources): Upstream {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...network.timeouts };
  return makeUpstream({ totalMs: timeouts.totalMs, ...network.limits }, clock ?? systemClock, events);
}

/** How files of http(s) addresses are reached. */
interface HttpDoor {
  readonly policy: AddressPolicy;
  readonly fetch: GuardedFetch;
  /** Adds tokens to addresses of hosts that need them; undefined if no host does. */
  readonly addresses: SignedAddresses | undefined;
}

/** Builds the guarded fetch for the hosts that the settings name, and the fetches for their tokens. */
export function makeHttpDoor(options: OpenSourceOptions, network: NetworkSources): HttpDoor {
  const policy: AddressPolicy = {
    hosts: network.hosts ?? [],
    allowHttp: network.allowHttp ?? false,
    ports: network.ports,
  };
  const toSigned = (services: readonly TokenService[]): SignedAddresses =>
    makeSignedAddresses({
      services,
      fetchFor({ endpoint }) {
        const url = new URL(endpoint);
        const allowHttp = url.protocol === 'http:';
        const ports = [portOf(url)];
        return makeSourceFetch(options, network, { hosts: [url.hostname], allowHttp, ports });
      },
    });
  const { tokens } = network;
  return {
    policy,
    fetch: makeSourceFetch(options, network, policy),
    addresses: tokens === undefined ? undefined : toSigned(tokens),
  };
}

/** The store of a bucket, and the guarded fetch to it. */
interface S3Door {
  readonly store: S3Store;
  readonly fetch: GuardedFetch;
}

/** Builds the function that finds the store of a bucket; refuses a bucket that the settings do not name. */
export function makeS3Doors(options: OpenSourceOptions, network: NetworkSources): (bucket: string) => S3Door {
  // Each store has its own guarded fetch, which can reach only its endpoint.
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
 * How an operator allows an address; follows "… is not allowed; ". The short form of SWATH_SOURCES takes public hosts by
 * https on the default port; for all other addresses the advice names the fields of the JSON form.
 */
export function toSourceAdvice(address: string): string {
  const origin = toAddressOrigin(address) ?? address;
  const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null;
  if (url === null) return `add ${origin} to SWATH_SOURCES`;
  const words = listWords(url);
  if (words.length === 0) return `add ${origin} to SWATH_SOURCES`;
  return `let SWATH_SOURCES name a .json file with ${[`"hosts": ["${url.hostname}"]`, ...words].join(', ')}, because its short form takes only public hosts by https on port 443`;
}

/** The fields that the JSON form needs in addition to the host. */
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
