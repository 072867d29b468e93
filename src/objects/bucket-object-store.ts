import { createHash } from 'node:crypto';
import { isSwathError, sourceBroken, unsupported } from '../errors.ts';
import type { GuardedResponse } from '../net/index.ts';
import { contradictsEtag, parseEtag, toObjectEtag, toS3Url, toStoreHeaders } from '../net/index.ts';
import { listFolders, listObjects, parseTime, readRange } from '../sources/index.ts';
import { removeObject } from './blobs/bucket-objects.ts';
import { sweepUploads } from './blobs/sweep-uploads.ts';
import { withFileBytes } from './bucket/file-bytes.ts';
import { makePartSlots } from './bucket/part-slots.ts';
import type { S3BucketDeps } from './bucket/s3-bucket.ts';
import { makeS3Bucket } from './bucket/s3-bucket.ts';
import { PARTS_IN_FLIGHT, uploadObject } from './bucket/upload-object.ts';
import type { ObjectStore, StoredObject, WriteCondition } from './object-store.ts';

/** Which bucket holds the objects, and with what it is used. */
interface BucketObjectsDeps {
  /** What keys begin with: empty, or names that end with a slash. */
  readonly prefix: string;
  /** For requests that wait. */
  readonly reading: S3BucketDeps;
  /** For uploads, which may take their time. */
  readonly writing: S3BucketDeps;
  /** Of uploads. */
  readonly partBytes?: number;
}

const NOT_MODIFIED = 304;
const NOT_FOUND = 404;
const NOT_IMPLEMENTED = 501;
/** Amazon answers 412, and 409 when another conditional write of the same key is under way. */
const UNMET: ReadonlySet<number> = new Set([409, 412]);

/** Builds the store of objects in a bucket. */
export function makeBucketObjectStore(deps: BucketObjectsDeps): ObjectStore {
  const { prefix, partBytes } = deps;
  const reading = makeS3Bucket(deps.reading);
  const writing = makeS3Bucket(deps.writing);
  const slots = makePartSlots(PARTS_IN_FLIGHT);
  const toKey = (key: string): string => `${prefix}${key}`;
  const toHref = (key: string): string => `s3://${deps.reading.name}/${toKey(key)}`;

  const read: ObjectStore['read'] = async (key, { maxBytes, knownEtag }) => {
    const answer = await reading.ask({
      method: 'GET',
      key: toKey(key),
      headers: knownEtag === undefined ? {} : { 'if-none-match': `"${knownEtag}"` },
      expected: [NOT_MODIFIED, NOT_FOUND],
      maxBytes,
    });
    if (answer.status === NOT_FOUND) return null;
    return answer.status === NOT_MODIFIED ? 'same' : toStoredObject(answer);
  };

  return {
    read,
    async readRange(key, range) {
      const { store, name, wallClockMs = Date.now } = deps.reading;
      const url = toS3Url({ bucket: name, key: toKey(key) }, store);
      const sign = (_url: string, headers: Readonly<Record<string, string>>) =>
        toStoreHeaders(store, { url, headers, date: new Date(wallClockMs()) });
      try {
        const { body } = await readRange(url.href, { range }, { ...deps.reading, sign });
        return body.length === range.length ? body : null;
      } catch (error) {
        if (isSwathError(error) && error.code === 'source-gone') return null;
        throw error;
      }
    },
    async put(key, bytes, { contentType, when }) {
      const md5 = createHash('md5').update(bytes).digest();
      const answer = await writing.ask({
        method: 'PUT',
        key: toKey(key),
        headers: {
          'content-type': contentType,
          'content-md5': md5.toString('base64'),
          ...toConditionHeaders(when),
        },
        body: bytes,
        expected: toExpected(when),
      });
      if (answer.status === NOT_IMPLEMENTED) throw noConditions();
      if (answer.status === NOT_FOUND || UNMET.has(answer.status)) {
        // The first try may have written it, and its answer was lost.
        const found = await read(key, { maxBytes: bytes.length }).catch(() => null);
        return found !== null && found !== 'same' && Buffer.from(found.bytes).equals(bytes)
          ? found.etag
          : null;
      }
      const etag = parseEtag(answer.header('etag'));
      if (etag === null || contradictsEtag(answer, toObjectEtag(md5)))
        throw sourceBroken('other-bytes-stored', 'A store of objects has stored other bytes than were sent.');
      return etag;
    },
    async upload(key, path, contentType) {
      const target = { bucket: writing, key: toKey(key), contentType, slots };
      const sized = partBytes === undefined ? target : { ...target, partBytes };
      await withFileBytes(path, (bytes) => uploadObject(sized, bytes, new AbortController().signal));
    },
    remove: (key) => removeObject(writing, toKey(key)),
    async *list(below) {
      for await (const page of listObjects(toHref(below), deps.reading))
        yield page.map((object) => ({ ...object, key: object.key.slice(prefix.length) }));
    },
    listFolders: (folder) => listFolders(toHref(folder), deps.reading),
    async sweepUploads(folder, olderThanMs) {
      await sweepUploads(writing, { prefix: toKey(folder), olderThanMs });
    },
  };
}

function toConditionHeaders(when: WriteCondition): Readonly<Record<string, string>> {
  if (when === 'always') return {};
  return when === 'absent' ? { 'if-none-match': '*' } : { 'if-match': `"${when.etag}"` };
}

/** Without a condition such an answer is a failure; and only an object that is to be replaced can be missing. */
function toExpected(when: WriteCondition): readonly number[] {
  if (when === 'always') return [];
  const unmet = [...UNMET, NOT_IMPLEMENTED];
  return when === 'absent' ? unmet : [...unmet, NOT_FOUND];
}

/** The error of a store that cannot tell whether an object has changed before it replaces it. */
export const noConditions = () =>
  unsupported(
    'no-conditional-writes',
    'The service of the bucket does not write on a condition (If-None-Match, If-Match), so that two writers could not be told apart. Use another one, or a directory.',
  );

function toStoredObject({ body, header }: GuardedResponse): StoredObject {
  const etag = parseEtag(header('etag'));
  const storedMs = parseTime(header('last-modified'));
  if (etag === null || storedMs === null)
    throw sourceBroken('bad-object', 'A store of objects does not describe what it holds.');
  const nowMs = parseTime(header('date')) ?? Date.now();
  return { bytes: body, etag, ageMs: Math.max(0, nowMs - storedMs) };
}
