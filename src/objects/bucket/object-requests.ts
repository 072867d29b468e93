import { isSwathError, sourceBroken } from '../../errors.ts';
import { encodeForS3, parseEtag, presignS3Url, toS3Url, toStoreHeaders } from '../../net/index.ts';
import type { Pin } from '../../sources/index.ts';
import { parsePin, readRange } from '../../sources/index.ts';
import { noSuchObject, objectCut } from '../object-errors.ts';
import type { ObjectInfo, ObjectLink } from '../object-store.ts';
import type { S3Bucket, S3BucketDeps } from './s3-bucket.ts';
import type { ReadPiece } from './stream-ranges.ts';

/** The error of a store that answers without what describes an object. */
export const badObject = () =>
  sourceBroken('bad-object', 'A store of objects does not describe what it holds.');

/** What the head of an object tells; null if there is none. */
export async function readObjectInfo(
  bucket: S3Bucket,
  key: string,
  signal?: AbortSignal,
): Promise<ObjectInfo | null> {
  const { status, header } = await bucket.ask({ method: 'HEAD', key, expected: [404] }, signal);
  if (status === 404) return null;
  const bytes = Number(header('content-length') ?? Number.NaN);
  const etag = parseEtag(header('etag'));
  const modifiedAtMs = Date.parse(header('last-modified') ?? '');
  if (!Number.isSafeInteger(bytes) || etag === null || Number.isNaN(modifiedAtMs)) {
    throw badObject();
  }
  return { bytes, etag, modifiedAtMs };
}

/** Removes an object, also if there is none. */
export async function removeObject(bucket: S3Bucket, key: string): Promise<void> {
  await bucket.ask({ method: 'DELETE', key, expected: [404] });
}

/** Builds the reading of pieces of an object, all of them of the state that the first one had. */
export function makeReadPiece(deps: S3BucketDeps, bucket: S3Bucket, key: string): ReadPiece {
  const { store, wallClockMs = Date.now } = deps;
  const url = toS3Url({ bucket: deps.name, key }, store);
  const sign = (_url: string, headers: Readonly<Record<string, string>>) =>
    toStoreHeaders(store, { url, headers, date: new Date(wallClockMs()) });
  let pin: Pin | undefined;
  return async ({ start, end }, signal) => {
    const range = { offset: start, length: end - start };
    const question = pin === undefined ? { range } : { range, pin };
    const answer = await readRange(url.href, question, { ...deps, sign }, signal).catch(
      async (error: unknown) => {
        // A range beyond the end looks the same, and so does a refusal.
        const isGone = isSwathError(error) && error.code === 'source-gone';
        if (isGone && (await readObjectInfo(bucket, key, signal)) === null) throw noSuchObject(error);
        throw error;
      },
    );
    pin ??= parsePin(answer);
    if (answer.body.length === range.length) return answer.body as Uint8Array<ArrayBuffer>;
    throw objectCut(pin.size);
  };
}

/** Amazon's limit. */
const MAX_LINK_S = 7 * 86_400;

/** The address of an object with a signature in it; null for a bucket that is used without credentials. */
export function toObjectLink(
  { store, name, wallClockMs = Date.now }: S3BucketDeps,
  key: string,
  { expiresS, contentType, contentDisposition }: ObjectLink,
): string | null {
  const { credentials, region } = store;
  if (credentials === undefined) return null;
  const url = toS3Url({ bucket: name, key }, store);
  url.search = [
    `response-content-disposition=${encodeForS3(contentDisposition)}`,
    `response-content-type=${encodeForS3(contentType)}`,
  ].join('&');
  const lifeS = Math.max(1, Math.min(MAX_LINK_S, Math.floor(expiresS)));
  return presignS3Url({ url, region, credentials, date: new Date(wallClockMs()), expiresS: lifeS }).href;
}
