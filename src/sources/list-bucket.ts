import type { Subject } from '../errors.ts';
import { withSubject } from '../errors.ts';
import { addressNotAllowed, parseS3Prefix } from '../net/index.ts';
import type { OpenSourceOptions } from './network-sources.ts';
import { makeSourceUpstream } from './network-sources.ts';
import type { ListedObject } from './s3/list-objects.ts';
import { listObjects } from './s3/list-objects.ts';
import { makeS3Doors } from './s3/s3-doors.ts';

/** Lists the objects below `s3://bucket/prefix`, page by page; refuses a bucket that the settings do not name. */
export type ListBucket = (href: string, signal?: AbortSignal) => AsyncGenerator<readonly ListedObject[]>;

const BUCKET: Subject = { file: 'the bucket', server: 'the store of the bucket' };

/** Builds the listing of buckets, with the same rules and limits as the reading of their objects. */
export function makeListBucket(options: OpenSourceOptions): ListBucket {
  const { network } = options;
  const findDoor = network === undefined ? null : makeS3Doors(options, network);
  const upstream = makeSourceUpstream(options, network ?? {});
  return async function* (href, signal) {
    const { bucket } = parseS3Prefix(href);
    if (findDoor === null) throw addressNotAllowed(`bucket ${bucket} is not in the list`);
    try {
      yield* listObjects(href, { ...findDoor(bucket), upstream }, signal);
    } catch (error) {
      throw withSubject(error, BUCKET);
    }
  };
}
