export { type BlobStore, type ListedBlob, toUploadKey } from './blob-store.ts';
export { makeFolderObjects, readFolderId } from './folder-objects.ts';
export { type ObjectLease, takeLease } from './object-lease.ts';
export type { BlobRange, ObjectStore } from './object-store.ts';
export { openBlobs, openObjects } from './open-objects.ts';
export { type OwnFiles, openOwnFiles, openOwnObjects } from './own-files.ts';
export { makeSharedResults } from './shared-results.ts';
