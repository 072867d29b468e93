export { type AddressPolicy, parseAllowedUrl } from './address-policy.ts';
export { type BufferLender, makeBufferLender } from './buffer-lender.ts';
export type { ByteSource } from './byte-source.ts';
export { isDataHref, makeDataFiles, type OpenSource } from './data-files.ts';
export { type DiskCache, makeDiskCache } from './disk-cache/index.ts';
export { mayHoldScenes, toFileHref } from './folder-files.ts';
export { type GuardedFetch, makeGuardedFetch } from './guarded-fetch.ts';
export { makeOpenSource, type NetworkSources, type OpenSourceOptions } from './open-source.ts';
export { parseRetryAfterMs } from './retry-after.ts';
