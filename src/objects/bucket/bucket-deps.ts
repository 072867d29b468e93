import type { NetworkTimeouts, UpstreamLimits } from '../../net/index.ts';
import { addressNotAllowed } from '../../net/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../../sources/index.ts';
import { makeS3Doors, makeSourceUpstream } from '../../sources/index.ts';
import type { S3BucketDeps } from './s3-bucket.ts';

/** A part of 8 MiB takes a minute on a line of a megabit a second; putting a thousand parts together takes minutes. */
const WRITE_TIMEOUTS: NetworkTimeouts = {
  connectMs: 5_000,
  headersMs: 120_000,
  idleMs: 120_000,
  totalMs: 180_000,
};

/** The file took long to make, and no one waits for an answer: trying again is cheaper than making it again. */
const WRITE_LIMITS: Partial<UpstreamLimits> = {
  totalMs: 600_000,
  retries: 5,
  backoffMs: 250,
  maxBackoffMs: 10_000,
  retryShare: 1,
};

/** The patience of uploads. */
export const toWriting = (network: NetworkSources): NetworkSources => ({
  ...network,
  timeouts: { ...WRITE_TIMEOUTS, ...network.timeouts },
  limits: { ...WRITE_LIMITS, ...network.limits },
});

/** What a bucket that is written to is reached with; it must be one that the settings name with credentials. */
export function toBucketDeps(
  options: OpenSourceOptions,
  network: NetworkSources,
  name: string,
): S3BucketDeps {
  const { store, fetch } = makeS3Doors(options, network)(name);
  if (store.credentials === undefined) throw addressNotAllowed(`bucket ${name} has no credentials`);
  return { name, store, fetch, upstream: makeSourceUpstream(options, network) };
}

/** A prefix of keys that is empty or ends with a slash. */
export const toKeyPrefix = (prefix: string): string =>
  prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
