import { isSwathError, sourceBroken } from '../errors.ts';
import { openHttpSource } from './http/http-source.ts';
import { isFolderHref, makeDataFiles, makeFolderFiles } from './local/allowed-files.ts';
import type { AddressPolicy } from './network/address-policy.ts';
import { addressNotAllowed, portOf } from './network/address-policy.ts';
import type { ResolveName } from './network/guarded-connect.ts';
import type { GuardedFetch, NetworkTimeouts } from './network/guarded-fetch.ts';
import { DEFAULT_TIMEOUTS, makeGuardedFetch } from './network/guarded-fetch.ts';
import type { OpenSource } from './ranges/byte-source.ts';
import { withRangeMerging } from './ranges/range-merging.ts';
import { withSharedReads } from './ranges/shared-reads.ts';
import { parseS3Endpoint, parseS3Href } from './s3/s3-address.ts';
import type { S3Store } from './s3/s3-source.ts';
import { openS3Source } from './s3/s3-source.ts';
import type { TokenService } from './sas/sas-tokens.ts';
import { makeSignedAddresses } from './sas/sas-tokens.ts';
import type { Clock, Upstream, UpstreamLimits } from './upstream/upstream.ts';
import { makeUpstream, systemClock } from './upstream/upstream.ts';

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
  readonly clock?: Clock;
  readonly resolveName?: ResolveName;
}

/** Opens what an href points at: a file of the data directory, and where allowed one elsewhere or an http(s) or s3 address. */
export function makeOpenSource(options: OpenSourceOptions): OpenSource {
  const { dataDir, folders = [], network } = options;
  const openData = makeDataFiles(dataDir, folders);
  const openFolder = makeFolderFiles(folders);
  const openFile: OpenSource = (href) => (isFolderHref(href) ? openFolder(href) : openData(href));
  if (network === undefined) return openFile;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...network.timeouts };
  const upstream = makeUpstream(
    { totalMs: timeouts.totalMs, ...network.limits },
    options.clock ?? systemClock,
  );
  const openHttp = makeOpenHttp(options, network, upstream);
  const openS3 = makeOpenS3(options, network, upstream);

  return async (href, signal) => {
    const scheme = /^(https?|s3):\/\//.exec(href)?.[1];
    if (scheme === undefined) return openFile(href);
    const source = await hideRefusal(() => (scheme === 's3' ? openS3(href, signal) : openHttp(href, signal)));
    // A name may lead elsewhere by the time of a later read.
    const read: typeof source.read = (...range) => hideRefusal(() => source.read(...range));
    return withSharedReads(withRangeMerging({ ...source, read }));
  };
}

/** To the user a forbidden address is a broken file like any other: no way to find out what lies inside. */
async function hideRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-allowed') throw error;
    throw sourceBroken('bad-href', 'A file of this scene has an address that is not allowed.', {
      cause: error,
    });
  }
}

function makeOpenHttp(options: OpenSourceOptions, network: NetworkSources, upstream: Upstream): OpenSource {
  const fetch = makeFetch(options, network, {
    hosts: network.hosts ?? [],
    allowHttp: network.allowHttp ?? false,
    ...(network.ports ? { ports: network.ports } : {}),
  });
  const { tokens } = network;
  if (tokens === undefined) return (href, signal) => openHttpSource(href, { fetch, upstream }, signal);
  const addresses = makeSignedAddresses({
    services: tokens,
    fetchFor({ endpoint }) {
      const url = new URL(endpoint);
      const allowHttp = url.protocol === 'http:';
      return makeFetch(options, network, { hosts: [url.hostname], allowHttp, ports: [portOf(url)] });
    },
  });
  return (href, signal) => openHttpSource(href, { fetch, upstream, addresses }, signal);
}

function makeOpenS3(options: OpenSourceOptions, network: NetworkSources, upstream: Upstream): OpenSource {
  // Each store has a guarded fetch of its own, which reaches its endpoint and nothing else.
  const stores = (network.s3 ?? []).map((store) => {
    const endpoint = parseS3Endpoint(store);
    const policy: AddressPolicy = {
      hosts: [endpoint.hostname, `*.${endpoint.hostname}`],
      allowHttp: endpoint.protocol === 'http:',
      ports: [portOf(endpoint)],
    };
    return { store, fetch: makeFetch(options, { ...network, maxRedirects: 0 }, policy) };
  });
  return async (href, signal) => {
    const { bucket } = parseS3Href(href);
    const found = stores.find(({ store }) => store.buckets.includes(bucket));
    if (found === undefined) throw addressNotAllowed(`bucket ${bucket} is not in the list`);
    return openS3Source(href, { ...found, upstream }, signal);
  };
}

function makeFetch(
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
