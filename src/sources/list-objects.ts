import type { Subject } from '../errors.ts';
import { isSwathError, withSubject } from '../errors.ts';
import type { GuardedFetch, GuardedResponse, Upstream } from '../net/index.ts';
import {
  addressNotAllowed,
  isPassing,
  PassingFailure,
  parseRetryAfterMs,
  toFailure,
  toPassing,
} from '../net/index.ts';
import type { S3Store } from '../net/s3.ts';
import { encodeForS3, parseEtag, parseS3Prefix, toS3Url, toStoreHeaders } from '../net/s3.ts';
import { childrenOf, localName, parseXml, textAt } from '../xml/index.ts';
import { sourceBroken, tooLarge } from './errors.ts';
import type { OpenSourceOptions } from './network-sources.ts';
import { makeS3Doors, makeSourceUpstream } from './network-sources.ts';
import { toVersion } from './range-answer.ts';

/** An object of a bucket in a listing. */
export interface ListedObject {
  readonly href: string;
  readonly key: string;
  readonly size: number;
  /** The same as `ByteSource.version` of the opened object; null if the listing lacks it. */
  readonly version: string | null;
  /** The ETag without quotes. */
  readonly etag: string | null;
  readonly modifiedAtMs: number | null;
}

/** Dependencies for listing a bucket. */
interface ListDeps {
  readonly store: S3Store;
  readonly fetch: GuardedFetch;
  readonly upstream: Upstream;
  /** Wall clock, for signatures and `Retry-After` dates. */
  readonly wallClockMs?: () => number;
}

/** Amazon's own limit; a page with as many keys of a kilobyte each is well within the byte limit. */
const KEYS_OF_PAGE = 1_000;
const MAX_PAGE_BYTES = 8 * 2 ** 20;
/** A million objects: the largest public elevation model has 26,450 tiles with ten files each. */
const MAX_PAGES = 1_000;

/** Lists the objects of a bucket below a prefix, page by page, sorted by key (ListObjectsV2). */
export async function* listObjects(
  href: string,
  deps: ListDeps,
  signal?: AbortSignal,
): AsyncGenerator<readonly ListedObject[]> {
  const { bucket, prefix } = parseS3Prefix(href);
  let token: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { body } = await readPage({ bucket, prefix, token }, deps, signal);
    const { objects, next } = parseListing(new TextDecoder().decode(body), bucket);
    yield objects;
    if (next === null) return;
    token = next;
  }
  throw tooFull();
}

/** Lists the folders directly below a prefix. */
export async function listFolders(href: string, deps: ListDeps): Promise<readonly string[]> {
  const { bucket, prefix } = parseS3Prefix(href);
  const names: string[] = [];
  let token: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { body } = await readPage({ bucket, prefix, token, delimiter: '/' }, deps);
    const { folders, next } = parseListing(new TextDecoder().decode(body), bucket);
    names.push(...folders.map((folder) => folder.slice(prefix.length, -1)));
    if (next === null) return names;
    token = next;
  }
  throw tooFull();
}

const tooFull = () =>
  tooLarge(
    'bucket-too-full',
    `The bucket has more than ${MAX_PAGES * KEYS_OF_PAGE} objects below this prefix; name a longer one.`,
  );

interface PageQuestion {
  readonly bucket: string;
  readonly prefix: string;
  readonly token: string | null;
  /** Keys that contain it after the prefix are listed once, up to the delimiter. */
  readonly delimiter?: string;
}

async function readPage(
  question: PageQuestion,
  { store, fetch, upstream, wallClockMs = Date.now }: ListDeps,
  signal?: AbortSignal,
): Promise<GuardedResponse> {
  const url = toListUrl(question, store);
  const answer = await upstream
    .call(
      url.origin,
      async (callSignal) => {
        const found = await fetch({
          url: url.href,
          headers: toStoreHeaders(store, { url, headers: {}, date: new Date(wallClockMs()) }),
          limitBody: ({ status }) => (status === 200 ? MAX_PAGE_BYTES : 0),
          signal: callSignal,
        }).catch(toFailure);
        if (found instanceof PassingFailure || !isPassing(found.status)) return found;
        return toPassing(found, parseRetryAfterMs(found.header('retry-after'), wallClockMs()));
      },
      signal,
    )
    .catch((error: unknown) => {
      throw isSwathError(error) && error.code === 'source-redirected'
        ? otherRegion(question, store, error)
        : error;
    });
  if (answer.status === 200) return answer;
  throw sourceBroken(
    'list-refused',
    `The store does not list the bucket ${question.bucket}: it answers with status ${answer.status}.`,
  );
}

const otherRegion = ({ bucket }: PageQuestion, { region }: S3Store, cause: unknown) =>
  sourceBroken(
    'other-region',
    `The bucket ${bucket} does not lie in the region ${region}; the JSON form of SWATH_SOURCES can name another.`,
    { cause },
  );

function toListUrl({ bucket, prefix, token, delimiter }: PageQuestion, store: S3Store): URL {
  const url = toS3Url({ bucket, key: '' }, store);
  const query = [
    ...(token === null ? [] : [['continuation-token', token] as const]),
    ...(delimiter === undefined ? [] : [['delimiter', delimiter] as const]),
    // Keys may contain characters that XML cannot.
    ['encoding-type', 'url'],
    ['list-type', '2'],
    ['max-keys', String(KEYS_OF_PAGE)],
    ['prefix', prefix],
  ] as const;
  url.search = query.map(([name, value]) => `${name}=${encodeForS3(value)}`).join('&');
  return url;
}

function parseListing(text: string, bucket: string) {
  const root = parseXml(text, 'of the listing');
  if (localName(root) !== 'ListBucketResult') {
    throw sourceBroken('bad-listing', `The store answers with something other than a list of ${bucket}.`);
  }
  const decode = textAt(root, 'EncodingType') === 'url' ? decodeKey : (key: string) => key;
  const objects = childrenOf(root, 'Contents').flatMap((entry): ListedObject[] => {
    const key = decode(childrenOf(entry, 'Key')[0]?.text ?? '');
    const size = Number(textAt(entry, 'Size') ?? Number.NaN);
    if (key === null || key === '' || !Number.isSafeInteger(size) || size < 0) return [];
    const etag = textAt(entry, 'ETag');
    const version = etag === null ? null : toVersion({ size, etag, lastModified: null }, new Uint8Array(0));
    const modifiedAtMs = parseTime(textAt(entry, 'LastModified'));
    return [{ href: `s3://${bucket}/${key}`, key, size, version, etag: parseEtag(etag), modifiedAtMs }];
  });
  const folders = childrenOf(root, 'CommonPrefixes').flatMap((entry): string[] => {
    const folder = decode(childrenOf(entry, 'Prefix')[0]?.text ?? '');
    return folder === null || folder === '' ? [] : [folder];
  });
  const isCut = textAt(root, 'IsTruncated') === 'true';
  const next = isCut ? textAt(root, 'NextContinuationToken') : null;
  if (isCut && next === null) {
    throw sourceBroken('bad-listing', `The list of the bucket ${bucket} ends in the middle.`);
  }
  return { objects, folders, next };
}

/** Parses a time of a listing; null if it is missing or invalid. */
export function parseTime(text: string | null): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** Decodes a key; null if its encoding is invalid. */
function decodeKey(key: string): string | null {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Lists the objects below `s3://bucket/prefix`, page by page; refuses a bucket that the settings do not name. */
export type ListBucket = (href: string, signal?: AbortSignal) => AsyncGenerator<readonly ListedObject[]>;

const BUCKET: Subject = { file: 'the bucket', server: 'the store of the bucket' };

/** Builds the bucket listing, with the same rules and limits as reads of objects. */
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
