import { badInput } from '../../errors.ts';
import { addressNotAllowed } from '../address-policy.ts';
import { encodeForS3 } from './sigv4.ts';

/** An object in a bucket. */
export interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/** Where buckets live. */
export interface S3Location {
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
