import type { Clock } from '../async/index.ts';
import { systemClock } from '../async/index.ts';
import type { Subject } from '../errors.ts';
import type { FolderHandle } from '../files/index.ts';
import type {
  AddressPolicy,
  GuardedFetch,
  NetworkTimeouts,
  ResolveName,
  S3Store,
  Upstream,
  UpstreamEvents,
  UpstreamLimits,
} from '../net/index.ts';
import { DEFAULT_TIMEOUTS, makeGuardedFetch, makeUpstream } from '../net/index.ts';
import type { TokenService } from './sas/sas-tokens.ts';

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
  { timeouts, maxRedirects, privateNetworks }: NetworkSources,
  policy: AddressPolicy,
): GuardedFetch {
  return makeGuardedFetch({
    policy: { ...policy, ...(privateNetworks ? { privateNetworks } : {}) },
    ...(timeouts ? { timeouts } : {}),
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
    ...(resolveName ? { resolveName } : {}),
  });
}

/** Builds the limits, retries and breakers of all origins. */
export function makeSourceUpstream({ clock, events }: OpenSourceOptions, network: NetworkSources): Upstream {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...network.timeouts };
  return makeUpstream({ totalMs: timeouts.totalMs, ...network.limits }, clock ?? systemClock, events);
}
