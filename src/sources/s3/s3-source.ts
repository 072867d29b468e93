import type { S3Store } from '../../net/index.ts';
import { parseS3Href, toS3Url, toStoreHeaders } from '../../net/index.ts';
import type { HttpOpenOptions, HttpSourceDeps } from '../http/http-source.ts';
import { openHttpSource } from '../http/http-source.ts';
import type { RemoteSource } from '../http/remote-source.ts';

interface S3SourceDeps extends Omit<HttpSourceDeps, 'sign' | 'identity'> {
  readonly store: S3Store;
}

/** Opens an object of a bucket: an HTTP source whose every try is signed anew. */
export function openS3Source(
  href: string,
  { store, ...deps }: S3SourceDeps,
  options: HttpOpenOptions = {},
): Promise<RemoteSource> {
  const url = toS3Url(parseS3Href(href), store);
  const { wallClockMs = Date.now } = deps;
  const sign: HttpSourceDeps['sign'] = (_url, headers) =>
    toStoreHeaders(store, { url, headers, date: new Date(wallClockMs()) });
  // A bucket may show other keys less.
  const identity = `s3 ${store.credentials?.accessKeyId ?? ''}`;
  return openHttpSource(url.href, { ...deps, sign, identity }, options);
}
