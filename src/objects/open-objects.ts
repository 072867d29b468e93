import { join } from 'node:path';
import { nodeFiles } from '../files/index.ts';
import type { NetworkTimeouts, UpstreamLimits } from '../net/index.ts';
import { addressNotAllowed } from '../net/index.ts';
import { parseS3Prefix } from '../net/s3.ts';
import type { NetworkSources, OpenSourceOptions } from '../sources/index.ts';
import { makeS3Doors, makeSourceUpstream } from '../sources/index.ts';
import type { BlobStore } from './blob-store.ts';
import { makeBlobs, makeFolderBlobs, toStagingFolder } from './blob-store.ts';
import { makeBucketObjects } from './bucket/bucket-objects.ts';
import type { S3BucketDeps } from './bucket/s3-bucket.ts';
import type { ObjectStore } from './object-store.ts';
import { makeStaging } from './staging.ts';

/** Where objects are stored. */
interface OpenObjectsOptions extends Omit<OpenSourceOptions, 'folders' | 'dataDir'> {
  /** `s3://bucket/prefix` of a bucket that `network` names. */
  readonly bucketHref: string;
  /** Bytes of a part of an upload. */
  readonly partBytes?: number;
}

/** An object of 50 MB takes most of a minute on a line of ten megabits a second; silence still ends a read after seconds. */
const READ_MS = 60_000;

const toReading = (network: NetworkSources): NetworkSources => ({
  ...network,
  timeouts: { totalMs: READ_MS, ...network.timeouts },
});

/** Opens the store of the objects below a prefix of a bucket. */
export function openObjects({ bucketHref, partBytes, ...options }: OpenObjectsOptions): ObjectStore {
  const { network = {} } = options;
  const { bucket, prefix } = parseS3Prefix(bucketHref);
  // Nothing of the data directory is read through it.
  const source = { ...options, dataDir: '' };
  const writing = toBucketDeps(source, toWriting(network), bucket);
  const deps = {
    prefix: toKeyPrefix(prefix),
    reading: toBucketDeps(source, toReading(network), bucket),
    writing,
    removing: writing,
  };
  return makeBucketObjects({ ...deps, partBytes });
}

/** Where the results of tasks are stored. */
export interface OpenBlobsOptions extends Omit<OpenSourceOptions, 'folders'> {
  /** `s3://bucket/prefix` of a bucket that `network` names; null for the data directory. */
  readonly bucketHref: string | null;
  /** An absolute path instead of the folder `results` of the data directory, such as of a disk that machines share. */
  readonly folder?: string | null;
  /** Bytes of a part of an upload. */
  readonly partBytes?: number;
}

/** Opens the store of results: in a bucket or a folder, by default `results` of the data directory. */
export function openBlobs(options: OpenBlobsOptions): BlobStore {
  const { dataDir, bucketHref, network = {}, partBytes } = options;
  const own = join(dataDir, 'results');
  if (bucketHref === null) return makeFolderBlobs({ folder: options.folder ?? own });
  const { bucket, prefix } = parseS3Prefix(bucketHref);
  const reading = toBucketDeps(options, network, bucket);
  return makeBlobs({
    objects: makeBucketObjects({
      prefix: toKeyPrefix(prefix),
      reading,
      writing: toBucketDeps(options, toWriting(network), bucket),
      // Someone waits for the end of a task's result too.
      removing: reading,
      partBytes,
    }),
    staging: makeStaging({ files: nodeFiles, folder: toStagingFolder(own) }),
    toKey: (key) => key,
  });
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

/** The patience of uploads. */
const toWriting = (network: NetworkSources): NetworkSources => ({
  ...network,
  timeouts: { ...WRITE_TIMEOUTS, ...network.timeouts },
  limits: { ...WRITE_LIMITS, ...network.limits },
});

/** What a bucket that is written to is reached with; it must be one that the settings name with credentials. */
function toBucketDeps(options: OpenSourceOptions, network: NetworkSources, name: string): S3BucketDeps {
  const { store, fetch } = makeS3Doors(options, network)(name);
  if (store.credentials === undefined) throw addressNotAllowed(`bucket ${name} has no credentials`);
  return { name, store, fetch, upstream: makeSourceUpstream(options, network) };
}

/** A prefix of keys that is empty or ends with a slash. */
const toKeyPrefix = (prefix: string): string =>
  prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
