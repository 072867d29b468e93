import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isSwathError } from '../../errors.ts';
import type { GuardedResponse } from '../../net/index.ts';
import { contradictsEtag, parseEtag, toObjectEtag, toS3Url, toStoreHeaders } from '../../net/s3.ts';
import { listFolders, listObjects, parseTime, readRange } from '../../sources/index.ts';
import { sourceBroken, unavailable, unsupported } from '../errors.ts';
import type { BlobRange, ObjectStore, StoredObject, StreamOptions, WriteCondition } from '../object-store.ts';
import { noSuchObject } from '../object-store.ts';
import type { ReadPiece, S3BucketDeps } from './s3-bucket.ts';
import {
  badObject,
  makeReadPiece,
  makeS3Bucket,
  readObjectInfo,
  removeObject,
  toObjectLink,
} from './s3-bucket.ts';
import { sweepUploads } from './sweep-uploads.ts';
import type { UploadedBytes } from './upload-object.ts';
import { makePartSlots, OTHER_BYTES, PARTS_IN_FLIGHT, uploadObject } from './upload-object.ts';

/** Which bucket holds the objects, and with what it is used. */
interface BucketObjectsDeps {
  /** What keys begin with: empty, or names that end with a slash. */
  readonly prefix: string;
  /** For requests that wait. */
  readonly reading: S3BucketDeps;
  /** For uploads, which may take their time. */
  readonly writing: S3BucketDeps;
  /** For removals. */
  readonly removing: S3BucketDeps;
  /** Of uploads. */
  readonly partBytes?: number | undefined;
}

/** Objects that are removed at the same time. */
const REMOVED_AT_ONCE = 8;
const NOT_MODIFIED = 304;
const NOT_FOUND = 404;
const NOT_IMPLEMENTED = 501;
/** Amazon answers 412, and 409 when another conditional write of the same key is under way. */
const UNMET: ReadonlySet<number> = new Set([409, 412]);

/** Builds the store of objects in a bucket. */
export function makeBucketObjects(deps: BucketObjectsDeps): ObjectStore {
  const { prefix, partBytes } = deps;
  const reading = makeS3Bucket(deps.reading);
  const writing = makeS3Bucket(deps.writing);
  const removing = makeS3Bucket(deps.removing);
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

  const remove: ObjectStore['remove'] = (key) => removeObject(removing, toKey(key));

  const list: ObjectStore['list'] = async function* (below, signal) {
    for await (const page of listObjects(toHref(below), deps.reading, signal))
      yield page.map((object) => ({ ...object, key: object.key.slice(prefix.length) }));
  };

  const upload = async (key: string, path: string, contentType: string, signal: AbortSignal) => {
    const target = { bucket: writing, key, contentType, slots, partBytes };
    const size = await withFileBytes(path, async (bytes) => {
      await uploadObject(target, bytes, signal);
      return bytes.size;
    });
    const info = await readObjectInfo(writing, key, signal);
    if (info?.bytes !== size) throw otherSize();
    return info;
  };

  return {
    // Not by its endpoint: one store may be reached under several.
    identify: async () => `s3://${deps.reading.name}/${prefix}`,
    stat: (key, signal) => readObjectInfo(reading, toKey(key), signal),
    read,
    async stream(key, range, options = {}) {
      const whole = toKey(key);
      const end = range?.end ?? (await readObjectInfo(reading, whole, options.signal))?.bytes;
      if (end === undefined) throw noSuchObject();
      const readPiece = makeReadPiece(deps.reading, reading, whole);
      return streamRanges(readPiece, { start: range?.start ?? 0, end }, options);
    },
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
    publish: (key, path, { contentType, signal = new AbortController().signal }) =>
      upload(toKey(key), path, contentType, signal).catch(async (error: unknown) => {
        // Never anything but the whole file under its key.
        if (isWrongContent(error)) await removeObject(writing, toKey(key)).catch(() => {});
        throw error;
      }),
    remove,
    async removeBelow(folder) {
      for await (const page of list(folder)) {
        const waiting = page.values();
        const work = async (): Promise<void> => {
          for (const { key } of waiting) await remove(key);
        };
        await Promise.all(Array.from({ length: REMOVED_AT_ONCE }, work));
      }
    },
    list,
    listFolders: (folder) => listFolders(toHref(folder), deps.reading),
    sweepUploads: (folder, olderThanMs, signal) =>
      sweepUploads(removing, { prefix: toKey(folder), olderThanMs }, signal),
    toLink: (key, link) => toObjectLink(deps.reading, toKey(key), link),
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

const OTHER_SIZE = 'other-size-stored';
const otherSize = () =>
  unavailable(OTHER_SIZE, 'The storage of results has stored more or fewer bytes than were sent.');

const isWrongContent = (error: unknown): boolean =>
  isSwathError(error) && (error.code === OTHER_SIZE || error.code === OTHER_BYTES);

/** The error of a store that cannot tell whether an object has changed before it replaces it. */
export const noConditions = () =>
  unsupported(
    'no-conditional-writes',
    'The service of the bucket does not write on a condition (If-None-Match, If-Match), so that two writers could not be told apart. Use another one, or a directory.',
  );

function toStoredObject({ body, header }: GuardedResponse): StoredObject {
  const etag = parseEtag(header('etag'));
  const storedMs = parseTime(header('last-modified'));
  if (etag === null || storedMs === null) throw badObject();
  const nowMs = parseTime(header('date')) ?? Date.now();
  return { bytes: body, etag, ageMs: Math.max(0, nowMs - storedMs) };
}

/** Opens a file for an upload; it must not change meanwhile. */
async function withFileBytes<Result>(
  path: string,
  work: (bytes: UploadedBytes) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw unavailable('staged-file-gone', 'The file was removed before it was finished.', { cause: error });
  });
  try {
    const { size } = await file.stat();
    return await work({
      size,
      async readInto(target, offset) {
        for (let done = 0; done < target.length; ) {
          const { bytesRead } = await file.read(target, done, target.length - done, offset + done);
          if (bytesRead === 0) throw new Error(`the staged file ends before byte ${offset + target.length}`);
          done += bytesRead;
        }
      },
    });
  } finally {
    await file.close();
  }
}

/** One request. Two are in memory: one that is being sent on, one that is on its way. */
const PIECE_BYTES = 2 ** 20;

/**
 * Streams a range of a remote object in requests of a piece each, so that one that fails can be repeated and a slow client
 * holds no connection to the store. The first piece is there when this returns.
 */
async function streamRanges(
  readPiece: ReadPiece,
  { start, end }: BlobRange,
  { signal, toError = (error) => error }: StreamOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const cancelling = new AbortController();
  const either = signal === undefined ? cancelling.signal : AbortSignal.any([signal, cancelling.signal]);
  let position = start;
  const askNext = async (): Promise<Uint8Array<ArrayBuffer> | null> =>
    position < end
      ? readPiece({ start: position, end: Math.min(end, position + PIECE_BYTES) }, either)
      : null;
  const first = await askNext();
  let next = Promise.resolve(first);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await next;
          if (cancelling.signal.aborted) return;
          if (piece === null) return controller.close();
          position += piece.length;
          next = askNext();
          // Looked at when it is its turn.
          next.catch(() => {});
          controller.enqueue(piece);
          if (position >= end) controller.close();
        } catch (error) {
          controller.error(toError(error));
        }
      },
      cancel: (reason) => cancelling.abort(reason),
    },
    // The one on its way is enough.
    { highWaterMark: 0 },
  );
}
