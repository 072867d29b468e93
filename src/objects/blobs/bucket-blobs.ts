import { join } from 'node:path';
import { isSwathError, unavailable } from '../../errors.ts';
import { nodeFiles } from '../../files/index.ts';
import { withFileBytes } from '../bucket/file-bytes.ts';
import { makePartSlots } from '../bucket/part-slots.ts';
import type { S3BucketDeps } from '../bucket/s3-bucket.ts';
import { makeS3Bucket } from '../bucket/s3-bucket.ts';
import { OTHER_BYTES, PARTS_IN_FLIGHT, uploadObject } from '../bucket/upload-object.ts';
import { noSuchBlob, withBlobErrors } from './blob-errors.ts';
import type { BlobInfo, BlobMeta, BlobStore } from './blob-store.ts';
import { checkBlobKey } from './blob-store.ts';
import {
  listBlobObjects,
  makeReadPiece,
  readObjectInfo,
  removeObject,
  toObjectLink,
} from './bucket-objects.ts';
import type { StagingDeps } from './staging.ts';
import { makeStaging } from './staging.ts';
import { streamRanges } from './stream-ranges.ts';
import { sweepUploads } from './sweep-uploads.ts';

/** Which bucket holds the blobs, and with what it is used. */
export interface BucketBlobsDeps extends Partial<Omit<StagingDeps, 'folder'>> {
  /** What keys begin with: empty, or names that end with a slash. */
  readonly prefix: string;
  /** For clients that wait. */
  readonly reading: S3BucketDeps;
  /** For uploads, which may take their time. */
  readonly writing: S3BucketDeps;
  /** A folder of this machine for files that are being made. */
  readonly stagingFolder: string;
  /** Of uploads. */
  readonly partBytes?: number;
}

/** Builds the store in a bucket. Files are made on a disk of this machine and then uploaded. */
export function makeBucketBlobs(deps: BucketBlobsDeps): BlobStore {
  const { prefix, stagingFolder, files = nodeFiles } = deps;
  const staging = makeStaging({ ...deps, files, folder: stagingFolder });
  const reading = makeS3Bucket(deps.reading);
  const writing = makeS3Bucket(deps.writing);
  const slots = makePartSlots(PARTS_IN_FLIGHT);
  const toKey = (key: string): string => `${prefix}${checkBlobKey(key)}`;

  async function publish(path: string, key: string, { contentType }: BlobMeta, signal: AbortSignal) {
    const { partBytes } = deps;
    const target = { bucket: writing, key, contentType, slots, ...(partBytes ? { partBytes } : {}) };
    const size = await withFileBytes(path, async (bytes) => {
      await uploadObject(target, bytes, signal);
      return bytes.size;
    });
    const info = await readObjectInfo(writing, key, signal);
    if (info?.bytes !== size) throw otherSize();
    return info;
  }

  return {
    // Not by its endpoint: one store may be reached under several.
    identify: async () => `s3://${deps.reading.name}/${prefix}`,
    stage: (key) =>
      withBlobErrors(async () => {
        const objectKey = toKey(key);
        const { path: own, remove } = await staging.open();
        const path = join(own, 'file');
        return {
          path,
          publish: (meta: BlobMeta, signal = new AbortController().signal): Promise<BlobInfo> =>
            withBlobErrors(async () => {
              const info = await publish(path, objectKey, meta, signal).catch(async (error: unknown) => {
                // Never anything but the whole file under its key.
                if (isWrongContent(error)) await removeObject(writing, objectKey).catch(() => {});
                throw error;
              });
              await remove();
              return info;
            }, signal),
          discard: remove,
        };
      }),
    stat: (key, signal) => withBlobErrors(() => readObjectInfo(reading, toKey(key), signal), signal),
    read: (key, range, signal) =>
      withBlobErrors(async () => {
        const objectKey = toKey(key);
        const end = range?.end ?? (await readObjectInfo(reading, objectKey, signal))?.bytes;
        if (end === undefined) throw noSuchBlob();
        const readPiece = makeReadPiece(deps.reading, reading, objectKey);
        return streamRanges(readPiece, { start: range?.start ?? 0, end }, signal);
      }, signal),
    remove: (key) => withBlobErrors(() => removeObject(reading, toKey(key))),
    list: (signal) => listBlobObjects(deps.reading, prefix, signal),
    sweep: ({ olderThanMs, signal }) =>
      withBlobErrors(
        async () => ({
          staged: await staging.sweep(olderThanMs),
          uploads: await sweepUploads(reading, { prefix, olderThanMs }, signal),
        }),
        signal,
      ),
    toLink: (key, link) => toObjectLink(deps.reading, toKey(key), link),
  };
}

const OTHER_SIZE = 'other-size-stored';
const otherSize = () =>
  unavailable(OTHER_SIZE, 'The storage of results has stored more or fewer bytes than were sent.');

const isWrongContent = (error: unknown): boolean =>
  isSwathError(error) && (error.code === OTHER_SIZE || error.code === OTHER_BYTES);
