import type { S3Location } from './s3-address.ts';
import type { S3Credentials } from './sigv4.ts';
import { signS3Request } from './sigv4.ts';

/** A store of buckets, and how it is asked. */
export interface S3Store extends S3Location {
  /** Left out: requests are not signed, which public buckets allow. */
  readonly credentials?: S3Credentials;
  /** Agrees to pay for the traffic, which some public buckets demand; needs credentials. */
  readonly requesterPays?: boolean;
}

/** A request to a store, before it is signed. */
export interface UnsignedRequest {
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
