import type { HttpSourceDeps } from '../http/http-source.ts';
import { openHttpSource } from '../http/http-source.ts';
import type { ByteSource } from '../ranges/byte-source.ts';
import type { S3Location } from './s3-address.ts';
import { parseS3Href, toS3Url } from './s3-address.ts';
import type { S3Credentials } from './sigv4.ts';
import { signS3Request } from './sigv4.ts';

/** A store of buckets, and how it is asked. */
export interface S3Store extends S3Location {
  /** Left out: requests are not signed, which public buckets allow. */
  readonly credentials?: S3Credentials;
  /** Agrees to pay for the traffic, which some public buckets demand; needs credentials. */
  readonly requesterPays?: boolean;
}

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
  const payer: Record<string, string> =
    store.requesterPays === true ? { 'x-amz-request-payer': 'requester' } : {};
  const { wallClockMs = Date.now } = deps;
  const sign: HttpSourceDeps['sign'] = (_url, headers) => {
    const { credentials, region } = store;
    if (credentials === undefined) return payer;
    const date = new Date(wallClockMs());
    const signed = signS3Request({
      method: 'GET',
      url,
      headers: { ...headers, ...payer },
      region,
      credentials,
      date,
    });
    return { ...payer, ...signed };
  };
  return openHttpSource(url.href, { ...deps, sign }, signal);
}
