export type { BlockFile, BlockImage, StoredRange } from './block-file.ts';
export { openBlockFile } from './open-block-file.ts';
export { type FoundSidecar, findSidecars, type SidecarSuffix, sidecarHref } from './sidecars.ts';
export { readStoredFile, type StoredBytes, type StoredFile } from './stored-file.ts';
