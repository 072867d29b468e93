import { join } from 'node:path';
import { nodeFiles } from '../files/index.ts';
import { parseS3Prefix } from '../net/index.ts';
import type { OpenSourceOptions } from '../sources/index.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { makeBlobs, makeFolderBlobs, toStagingFolder } from './blobs/make-blobs.ts';
import { makeStaging } from './blobs/staging.ts';
import { toBucketDeps, toKeyPrefix, toWriting } from './bucket/bucket-deps.ts';
import { makeBucketObjects } from './bucket/bucket-objects.ts';

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
      ...(partBytes === undefined ? {} : { partBytes }),
    }),
    staging: makeStaging({ files: nodeFiles, folder: toStagingFolder(own) }),
    toKey: (key) => key,
  });
}
