export {
  type AddressPolicy,
  addressNotAllowed,
  isHost,
  parseAllowedUrl,
  portOf,
  toHostName,
} from './address-policy.ts';
export type { ResolveName } from './guarded-connect.ts';
export {
  DEFAULT_TIMEOUTS,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  makeGuardedFetch,
  type NetworkTimeouts,
} from './guarded-fetch.ts';
export { mayLeadTo } from './literal-address.ts';
export { isPassing, PassingFailure, toFailure, toPassing } from './passing-failure.ts';
export { isPublicAddress } from './public-address.ts';
export { parseRetryAfterMs, type ResponseHead } from './response.ts';
export { contradictsEtag, parseEtag, toObjectEtag, toPartsEtag } from './s3/md5-etag.ts';
export { parseS3Endpoint, parseS3Href, parseS3Prefix, toS3Url } from './s3/s3-address.ts';
export { type S3Store, toStoreHeaders } from './s3/s3-store.ts';
export { encodeForS3, presignS3Url } from './s3/sigv4.ts';
export { redactAddresses, toAddressOrigin, toShownAddress } from './shown-address.ts';
export { makeUpstream, type Upstream, type UpstreamEvents, type UpstreamLimits } from './upstream.ts';
