export type { BlobRange, BlobStore, ListedBlob } from './blobs/blob-store.ts';
export { readFolderId } from './blobs/folder-identity.ts';
export { type ObjectLease, takeLease } from './object-lease.ts';
export type { ObjectStore } from './object-store.ts';
export { openBlobs } from './open-blobs.ts';
export { openObjects } from './open-objects.ts';
