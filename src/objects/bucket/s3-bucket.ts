import { createHash } from 'node:crypto';
import { isSwathError, sourceBroken, tooLarge } from '../../errors.ts';
import type {
  GuardedFetch,
  GuardedRequest,
  GuardedResponse,
  ResponseHead,
  S3Store,
  Upstream,
} from '../../net/index.ts';
import {
  encodeForS3,
  isPassing,
  PassingFailure,
  parseRetryAfterMs,
  toFailure,
  toS3Url,
  toStoreHeaders,
} from '../../net/index.ts';
import { textAt, tryParseXml } from '../../xml/index.ts';

/** One request to a bucket, which may be sent several times. */
export interface S3Question {
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
            ...(body === undefined ? {} : { body }),
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
