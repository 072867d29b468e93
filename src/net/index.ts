export {
  type AddressPolicy,
  addressNotAllowed,
  isHost,
  isPublicAddress,
  mayLeadTo,
  parseAllowedUrl,
  portOf,
  toHostName,
} from './address-policy.ts';
export { isPassing, mayPass, PassingFailure, parseRetryAfterMs, toFailure, toPassing } from './attempt.ts';
export type { ResponseHead } from './exchange.ts';
export type { ResolveName } from './guarded-connect.ts';
export {
  DEFAULT_TIMEOUTS,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  makeGuardedFetch,
  type NetworkTimeouts,
  Redirection,
} from './guarded-fetch.ts';
export { withHttpCache } from './http-cache.ts';
export {
  makePauses,
  makePoliteFetch,
  makeServiceCounts,
  type ServiceCounts,
} from './polite-fetch.ts';
export { type PostedMessage, postSigned } from './post-signed.ts';
export { ProxyFailure, type ProxySettings } from './proxy.ts';
export {
  redactAddresses,
  toAddressOrigin,
  toShownAddress,
  toShownFile,
} from './shown-address.ts';
export { makeUpstream, type Upstream, type UpstreamEvents, type UpstreamLimits } from './upstream.ts';
