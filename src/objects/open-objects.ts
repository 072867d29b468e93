import { parseS3Prefix } from '../net/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../sources/index.ts';
import { toBucketDeps, toKeyPrefix, toWriting } from './bucket/bucket-deps.ts';
import { makeBucketObjects } from './bucket/bucket-objects.ts';
import type { ObjectStore } from './object-store.ts';

/** Where objects are stored. */
export interface OpenObjectsOptions extends Omit<OpenSourceOptions, 'folders' | 'dataDir'> {
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
  return makeBucketObjects(partBytes === undefined ? deps : { ...deps, partBytes });
}
