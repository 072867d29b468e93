import { createHash } from 'node:crypto';
import { addressNotAllowed } from './address-policy.ts';
import { badInput } from './errors.ts';
import type { ResponseHead } from './exchange.ts';
import type { S3Credentials } from './sigv4.ts';
import { encodeForS3, signS3Request } from './sigv4.ts';

/** An object in a bucket. */
interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/** Where buckets live. */
interface S3Location {
  readonly region: string;
  /** Scheme, host and port of a store that is not Amazon's. */
  readonly endpoint?: string;
  /** Puts the bucket into the path, as most stores that are not Amazon's want it, and not into the host name. */
  readonly pathStyle?: boolean;
}

/** Amazon's rules for new buckets; nothing in such a name can leave the path or host name it is put into. */
const BUCKET = /^[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9])){1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
/** Amazon's limit for keys. */
const MAX_KEY_BYTES = 1024;

/** Parses `s3://bucket/key`; the key is taken as it stands, nothing in it is decoded. */
export function parseS3Href(href: string): S3Address {
  const match = /^s3:\/\/([^/]+)\/(.+)$/s.exec(href);
  const [bucket, key] = [match?.[1] ?? '', match?.[2] ?? ''];
  // A key may be anything, but a URL takes dot segments out of its path, and then another object would be meant.
  const hasDotSegment = key.split('/').some((segment) => segment === '.' || segment === '..');
  if (!BUCKET.test(bucket) || key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES || hasDotSegment) {
    throw addressNotAllowed('not an address of an object: s3://bucket/key');
  }
  // A lone surrogate has no encoding.
  if (!key.isWellFormed()) throw addressNotAllowed('a key that is not Unicode');
  return { bucket, key };
}

/** Parses `s3://bucket` or `s3://bucket/prefix`; the prefix is taken as it stands, and may be empty. */
export function parseS3Prefix(href: string): { readonly bucket: string; readonly prefix: string } {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(href);
  const [bucket, prefix] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (!BUCKET.test(bucket) || Buffer.byteLength(prefix) > MAX_KEY_BYTES || !prefix.isWellFormed()) {
    throw addressNotAllowed('not an address of a bucket: s3://bucket/prefix');
  }
  return { bucket, prefix };
}

/** The checked endpoint of a location; by default Amazon's of the region. */
export function parseS3Endpoint({ region, endpoint }: S3Location): URL {
  if (!REGION.test(region))
    throw badInput('bad-s3-region', `"${region}" is not a region such as eu-central-1.`);
  const url = URL.parse(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '') {
    throw badInput(
      'bad-s3-endpoint',
      'An S3 endpoint is a scheme, a host and perhaps a port, and nothing else.',
    );
  }
  return url;
}

/** The URL of an object. */
export function toS3Url({ bucket, key }: S3Address, location: S3Location): URL {
  const url = parseS3Endpoint(location);
  const path = key.split('/').map(encodeForS3).join('/');
  // A bucket with a dot makes a host name that no certificate of the store covers.
  const inPath = location.pathStyle === true || bucket.includes('.');
  return new URL(
    inPath
      ? `${url.protocol}//${url.host}/${bucket}/${path}`
      : `${url.protocol}//${bucket}.${url.host}/${path}`,
  );
}

/** A store of buckets, and how it is asked. */
export interface S3Store extends S3Location {
  /** Left out: requests are not signed, which public buckets allow. */
  readonly credentials?: S3Credentials;
  /** Agrees to pay for the traffic, which some public buckets demand; needs credentials. */
  readonly requesterPays?: boolean;
}

/** A request to a store, before it is signed. */
interface UnsignedRequest {
  /** GET when left out. */
  readonly method?: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
  /** SHA-256 of the body in hexadecimal; of no body when left out. */
  readonly bodyHash?: string;
}

/** What a store wants to be sent with a request in addition to the given headers: who pays, and the signature. */
export function toStoreHeaders(
  { credentials, region, requesterPays }: S3Store,
  { method = 'GET', headers, ...request }: UnsignedRequest,
): Record<string, string> {
  const payer: Record<string, string> = requesterPays === true ? { 'x-amz-request-payer': 'requester' } : {};
  if (credentials === undefined) return payer;
  const all = { ...headers, ...payer };
  return { ...payer, ...signS3Request({ ...request, method, headers: all, region, credentials }) };
}

/** The ETag of an object that was put in one request: the MD5 of its bytes. Without quotes. */
export const toObjectEtag = (md5: Uint8Array): string => Buffer.from(md5).toString('hex');

/** The ETag of an object of several parts: the MD5 of their MD5s, and their number. */
export const toPartsEtag = (md5s: readonly Uint8Array[]): string =>
  `${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-${md5s.length}`;

/** An ETag without its quotes. */
export const parseEtag = (text: string | null): string | null =>
  text === null ? null : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);

/** What an ETag looks like that is made of MD5s. */
const MD5_ETAG = /^[0-9a-f]{32}(?:-\d{1,5})?$/;

/**
 * Whether the ETag of an answer contradicts the bytes that were sent. Stores that encrypt with keys of a service, and
 * some that are not Amazon's, have ETags of another kind: those tell nothing.
 */
export function contradictsEtag(head: ResponseHead, expected: string): boolean {
  const encryption = head.header('x-amz-server-side-encryption');
  if (encryption !== null && encryption !== 'AES256') return false;
  if (head.header('x-amz-server-side-encryption-customer-algorithm') !== null) return false;
  const etag = parseEtag(head.header('etag'));
  return etag !== null && MD5_ETAG.test(etag) && etag !== expected;
}
