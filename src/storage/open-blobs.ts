import { join } from 'node:path';
import type { BlobStore } from './blobs/blob-store.ts';
import { makeBucketBlobs } from './blobs/bucket-blobs.ts';
import { makeFolderBlobs, toStagingFolder } from './blobs/folder-blobs.ts';
import { addressNotAllowed } from './network/address-policy.ts';
import type { NetworkTimeouts } from './network/guarded-fetch.ts';
import type { NetworkSources, OpenSourceOptions } from './network-sources.ts';
import { makeSourceUpstream } from './network-sources.ts';
import { parseS3Prefix } from './s3/s3-address.ts';
import type { S3BucketDeps } from './s3/s3-bucket.ts';
import { makeS3Doors } from './s3-doors.ts';
import type { UpstreamLimits } from './upstream/upstream.ts';

/** Where the results of tasks are stored. */
export interface OpenBlobsOptions extends Omit<OpenSourceOptions, 'folders'> {
  /** `s3://bucket/prefix` of a bucket that `network` names; null for the data directory. */
  readonly bucketHref: string | null;
  /** Bytes of a part of an upload. */
  readonly partBytes?: number;
}

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

/** Opens the store of results: in a bucket, or in the folder `results` of the data directory. */
export function openBlobs(options: OpenBlobsOptions): BlobStore {
  const { dataDir, bucketHref, network = {}, partBytes } = options;
  const folder = join(dataDir, 'results');
  if (bucketHref === null) return makeFolderBlobs({ folder });
  const { bucket, prefix } = parseS3Prefix(bucketHref);
  return makeBucketBlobs({
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    reading: toBucketDeps(options, network, bucket),
    writing: toBucketDeps(options, toWriting(network), bucket),
    stagingFolder: toStagingFolder(folder),
    ...(partBytes === undefined ? {} : { partBytes }),
  });
}

const toWriting = (network: NetworkSources): NetworkSources => ({
  ...network,
  timeouts: { ...WRITE_TIMEOUTS, ...network.timeouts },
  limits: { ...WRITE_LIMITS, ...network.limits },
});

function toBucketDeps(options: OpenBlobsOptions, network: NetworkSources, name: string): S3BucketDeps {
  const { store, fetch } = makeS3Doors(options, network)(name);
  if (store.credentials === undefined) throw addressNotAllowed(`bucket ${name} has no credentials`);
  return { name, store, fetch, upstream: makeSourceUpstream(options, network) };
}
