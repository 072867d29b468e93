import type { HttpSourceDeps } from '../http/http-source.ts';
import { openHttpSource } from '../http/http-source.ts';
import type { ByteSource } from '../ranges/byte-source.ts';
import { parseS3Href, toS3Url } from './s3-address.ts';
import type { S3Store } from './s3-store.ts';
import { toStoreHeaders } from './s3-store.ts';

interface S3SourceDeps extends Omit<HttpSourceDeps, 'sign'> {
  readonly store: S3Store;
}

/** Opens an object of a bucket: an HTTP source whose every try is signed anew. */
export function openS3Source(
  href: string,
  { store, ...deps }: S3SourceDeps,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const url = toS3Url(parseS3Href(href), store);
  const { wallClockMs = Date.now } = deps;
  const sign: HttpSourceDeps['sign'] = (_url, headers) =>
    toStoreHeaders(store, { url, headers, date: new Date(wallClockMs()) });
  return openHttpSource(url.href, { ...deps, sign }, signal);
}
