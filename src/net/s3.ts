import { createHash } from 'node:crypto';
import { addressNotAllowed } from './address-policy.ts';
import { badInput } from './errors.ts';
import type { ResponseHead } from './exchange.ts';
import type { S3Credentials } from './sigv4.ts';
import { encodeForS3, signS3Request } from './sigv4.ts';

export { encodeForS3, presignS3Url } from './sigv4.ts';

/** An object in a bucket. */
interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/** The store of some buckets. */
interface S3Location {
  readonly region: string;
  /** Scheme, host and port of another store than Amazon's. */
  readonly endpoint?: string;
  /** Puts the bucket into the path instead of the host name; most stores other than Amazon's need that. */
  readonly pathStyle?: boolean;
}

/** Amazon's rules for new buckets; such a name cannot break out of a path or a host name. */
const BUCKET = /^[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9])){1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
/** Amazon's limit for keys. */
const MAX_KEY_BYTES = 1024;

/** Parses `s3://bucket/key`; the key is literal, nothing in it is decoded. */
export function parseS3Href(href: string): S3Address {
  const match = /^s3:\/\/([^/]+)\/(.+)$/s.exec(href);
  const [bucket, key] = [match?.[1] ?? '', match?.[2] ?? ''];
  // A key may be anything, but a URL removes dot segments from its path and would name another object.
  const hasDotSegment = key.split('/').some((segment) => segment === '.' || segment === '..');
  if (!BUCKET.test(bucket) || key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES || hasDotSegment) {
    throw addressNotAllowed('not an address of an object: s3://bucket/key');
  }
  // A lone surrogate has no encoding.
  if (!key.isWellFormed()) throw addressNotAllowed('a key that is not Unicode');
  return { bucket, key };
}

/** Parses `s3://bucket` or `s3://bucket/prefix`; the prefix is literal and may be empty. */
export function parseS3Prefix(href: string): { readonly bucket: string; readonly prefix: string } {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(href);
  const [bucket, prefix] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (!BUCKET.test(bucket) || Buffer.byteLength(prefix) > MAX_KEY_BYTES || !prefix.isWellFormed()) {
    throw addressNotAllowed('not an address of a bucket: s3://bucket/prefix');
  }
  return { bucket, prefix };
}

/** The checked endpoint of a location; by default Amazon's endpoint for the region. */
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
      'An S3 endpoint has a scheme, a host and optionally a port, and nothing else.',
    );
  }
  return url;
}

/** The URL of an object. */
export function toS3Url({ bucket, key }: S3Address, location: S3Location): URL {
  const url = parseS3Endpoint(location);
  const path = key.split('/').map(encodeForS3).join('/');
  // A bucket with a dot makes a host name that the store's certificate does not cover.
  const inPath = location.pathStyle === true || bucket.includes('.');
  return new URL(
    inPath
      ? `${url.protocol}//${url.host}/${bucket}/${path}`
      : `${url.protocol}//${bucket}.${url.host}/${path}`,
  );
}

/** A store of buckets, and how to send requests to it. */
export interface S3Store extends S3Location {
  /** Without credentials requests are not signed, which public buckets allow. */
  readonly credentials?: S3Credentials;
  /** Agrees to pay for the traffic, which some public buckets demand; needs credentials. */
  readonly requesterPays?: boolean;
}

/** A request to a store, before it is signed. */
interface UnsignedRequest {
  /** GET by default. */
  readonly method?: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
  /** SHA-256 of the body in hexadecimal; by default that of an empty body. */
  readonly bodyHash?: string;
}

/** Headers that a store needs in addition to the given ones: who pays, and the signature. */
export function toStoreHeaders(
  { credentials, region, requesterPays }: S3Store,
  { method = 'GET', headers, ...request }: UnsignedRequest,
): Record<string, string> {
  const payer: Record<string, string> = requesterPays === true ? { 'x-amz-request-payer': 'requester' } : {};
  if (credentials === undefined) return payer;
  const all = { ...headers, ...payer };
  return { ...payer, ...signS3Request({ ...request, method, headers: all, region, credentials }) };
}

/** The ETag, without quotes, of an object that was put in one request: the MD5 of its bytes. */
export const toObjectEtag = (md5: Uint8Array): string => Buffer.from(md5).toString('hex');

/** The ETag of a multipart object: the MD5 of the parts' MD5s, and the number of parts. */
export const toPartsEtag = (md5s: readonly Uint8Array[]): string =>
  `${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-${md5s.length}`;

/** An ETag without its quotes. */
export const parseEtag = (text: string | null): string | null =>
  text === null ? null : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);

/** An ETag that is made of MD5s. */
const MD5_ETAG = /^[0-9a-f]{32}(?:-\d{1,5})?$/;

/**
 * Whether the ETag of an answer contradicts the bytes that were sent. Stores that encrypt with a key service, and some
 * stores other than Amazon's, use other ETags, which cannot be compared.
 */
export function contradictsEtag(head: ResponseHead, expected: string): boolean {
  const encryption = head.header('x-amz-server-side-encryption');
  if (encryption !== null && encryption !== 'AES256') return false;
  if (head.header('x-amz-server-side-encryption-customer-algorithm') !== null) return false;
  const etag = parseEtag(head.header('etag'));
  return etag !== null && MD5_ETAG.test(etag) && etag !== expected;
}
