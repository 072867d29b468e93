export type { BlobStore, ListedBlob } from './blobs/blob-store.ts';
export { readFolderId } from './folder/folder-identity.ts';
export { makeFolderObjects } from './folder/folder-objects.ts';
export { type ObjectLease, takeLease } from './object-lease.ts';
export type { BlobRange, ObjectStore } from './object-store.ts';
export { openBlobs } from './open-blobs.ts';
export { openObjects } from './open-objects.ts';
