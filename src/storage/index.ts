export type {
  BlobInfo,
  BlobMeta,
  BlobRange,
  BlobStore,
  ListedBlob,
  StagedBlob,
} from './blobs/blob-store.ts';
export { readFolderId } from './blobs/folder-identity.ts';
export { warmUpHttp } from './http/warm-up-http.ts';
export { type ListBucket, makeListBucket } from './list-bucket.ts';
export {
  isDataHref,
  makeDataFiles,
  makeReadFileStamp,
  mayHoldScenes,
  type ReadFileStamp,
  toFileHref,
} from './local/allowed-files.ts';
export { type AddressPolicy, parseAllowedUrl } from './network/address-policy.ts';
export { type GuardedFetch, makeGuardedFetch } from './network/guarded-fetch.ts';
export { mayLeadTo } from './network/literal-address.ts';
export { parseRetryAfterMs } from './network/response.ts';
export { redactAddresses, toAddressOrigin, toShownAddress } from './network/shown-address.ts';
export { toSourceAdvice } from './network/source-advice.ts';
export type { NetworkSources, OpenSourceOptions } from './network-sources.ts';
export { type ObjectLease, takeLease } from './objects/object-lease.ts';
export type { ObjectStore } from './objects/object-store.ts';
export { type OpenBlobsOptions, openBlobs } from './open-blobs.ts';
export { openObjects } from './open-objects.ts';
export { makeOpenSource } from './open-source.ts';
export type { ByteRange } from './ranges/byte-range.ts';
export type { ByteSource, OpenSource } from './ranges/byte-source.ts';
export { HEAD_BYTES, readHeader } from './ranges/header-reads.ts';
export { type ArenaHandle, type ArenaSlice, makeArenaHandle, toArenaBytes } from './ranges/range-arena.ts';
export { makeRangeMemory, type RangeHold, type RangeMemory } from './ranges/range-memory.ts';
export { makeOffers, type Offer, type OfferedFile, type OfferedRange, type Offers } from './relay/offers.ts';
export { makeRelayedOpen, type RelayedOpen } from './relay/relayed-open.ts';
export { isRemoteHref } from './relay/remote-href.ts';
export { type ReadUse, serveSources } from './relay/serve-sources.ts';
export { makeSharedSources, type SharedSources } from './relay/shared-sources.ts';
export type { ListedObject } from './s3/list-objects.ts';
export { parseS3Prefix } from './s3/s3-address.ts';
