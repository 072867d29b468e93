import { createHash } from 'node:crypto';
import { isSwathError } from '../../errors.ts';
import type {
  GuardedFetch,
  GuardedRequest,
  GuardedResponse,
  ResponseHead,
  Upstream,
} from '../../net/index.ts';
import { isPassing, PassingFailure, parseRetryAfterMs, toFailure } from '../../net/index.ts';
import type { S3Store } from '../../net/s3.ts';
import { encodeForS3, parseEtag, presignS3Url, toS3Url, toStoreHeaders } from '../../net/s3.ts';
import type { Pin } from '../../sources/index.ts';
import { parsePin, readRange } from '../../sources/index.ts';
import { textAt, tryParseXml } from '../../xml/index.ts';
import { sourceBroken, tooLarge } from '../errors.ts';
import type { BlobRange, ObjectInfo, ObjectLink } from '../object-store.ts';
import { noSuchObject, objectCut } from '../object-store.ts';

/** One request to a bucket, which may be sent several times. */
interface S3Question {
  readonly method: NonNullable<GuardedRequest['method']>;
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** SHA-256 of the body in hexadecimal, if it is known already. */
  readonly bodyHash?: string;
  /** Statuses other than 2xx that are answers and not failures. */
  readonly expected?: readonly number[];
  /** Max bytes of the answer that are read; 0 when left out. */
  readonly maxBytes?: number;
  /** Finds the code of an error in an answer that looks well; null if it is well. */
  readonly findRefusal?: (answer: GuardedResponse) => string | null;
}

/** A bucket that is written to and asked about: every request is signed, retried while that may help, and bounded. */
export interface S3Bucket {
  readonly name: string;
  /** The answer, of a status 2xx or an expected one; anything else throws. */
  ask(question: S3Question, signal?: AbortSignal): Promise<GuardedResponse>;
}

/** What a bucket is reached with. */
export interface S3BucketDeps {
  readonly name: string;
  readonly store: S3Store;
  readonly fetch: GuardedFetch;
  readonly upstream: Upstream;
  /** Wall clock, for signatures and `Retry-After` dates. */
  readonly wallClockMs?: () => number;
}

/** Stores explain a refusal in a few hundred bytes of XML. */
const MAX_ERROR_BYTES = 256 * 1024;

/** Codes of refusals that another try may not meet: the body was damaged on its way, or something is going on. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'BadDigest',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
]);

/** Codes by which stores say that there is no room. */
const FULL_CODES: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
]);
const STORAGE_FULL_STATUS = 507;

/** Builds the one way to ask a bucket for anything but ranges of its objects. */
export function makeS3Bucket(deps: S3BucketDeps): S3Bucket {
  const { name, store, fetch, upstream, wallClockMs = Date.now } = deps;
  return {
    name,
    ask(question, signal) {
      const { method, body, headers = {}, expected = [], maxBytes = 0 } = question;
      const url = toQuestionUrl(name, store, question);
      const bodyHash =
        question.bodyHash ??
        createHash('sha256')
          .update(body ?? '')
          .digest('hex');
      const isAnswer = ({ status }: ResponseHead): boolean =>
        (status >= 200 && status <= 299) || expected.includes(status);
      return upstream.call(
        url.origin,
        async (callSignal) => {
          const signed = toStoreHeaders(store, {
            method,
            url,
            headers,
            date: new Date(wallClockMs()),
            bodyHash,
          });
          const answer = await fetch({
            url: url.href,
            method,
            headers: { ...headers, ...signed },
            body,
            limitBody: (head) => (isAnswer(head) ? maxBytes : MAX_ERROR_BYTES),
            signal: callSignal,
          }).catch((error: unknown) => toTryFailure(error, callSignal));
          if (answer instanceof PassingFailure) return answer;
          const code = isAnswer(answer) ? (question.findRefusal?.(answer) ?? null) : codeOfError(answer);
          if (code === null) return answer;
          const afterMs = parseRetryAfterMs(answer.header('retry-after'), wallClockMs());
          return explainRefusal(answer.status, code, afterMs);
        },
        signal,
      );
    },
  };
}

function toQuestionUrl(bucket: string, store: S3Store, { key, query = [] }: S3Question): URL {
  const url = toS3Url({ bucket, key }, store);
  url.search = query.map(([name, value]) => `${name}=${encodeForS3(value)}`).join('&');
  return url;
}

/** A try that took too long may be followed by another, as long as there is time for all of them. */
function toTryFailure(error: unknown, callSignal: AbortSignal): PassingFailure {
  if (isSwathError(error) && error.tag === 'timed-out' && !callSignal.aborted)
    return new PassingFailure(error);
  return toFailure(error);
}

/** The code in the body of an error; empty if there is none. HEAD has no body. */
function codeOfError({ body }: GuardedResponse): string {
  const root = tryParseXml(new TextDecoder().decode(body), 'of an error', MAX_ERROR_BYTES);
  return root === null ? '' : (textAt(root, 'Code') ?? '');
}

/** Throws what is final, and returns what may pass. */
function explainRefusal(status: number, code: string, afterMs: number | null): PassingFailure {
  const cause = new Error(`status ${status}${code === '' ? '' : `, code ${code.slice(0, 100)}`}`);
  if (status === STORAGE_FULL_STATUS || FULL_CODES.has(code)) {
    throw tooLarge('no-space', 'The storage has no room left.', { cause });
  }
  const failure = sourceBroken('store-refuses', 'A store of objects refuses a request.', { cause });
  if (!isPassing(status) && !PASSING_CODES.has(code)) throw failure;
  return new PassingFailure(failure, afterMs ?? 0);
}

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

/** Reads exactly the bytes of a range. */
export type ReadPiece = (range: BlobRange, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

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
