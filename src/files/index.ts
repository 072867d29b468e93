export { type BufferPool, makeBufferPool } from './buffer-pool.ts';
export { ignoreMissing, isGone, toSystemCode } from './gone.ts';
export {
  type FolderFiles,
  nodeFiles,
  type OutputFile,
  type OutputFiles,
  type SyncedFile,
  withoutSync,
} from './output-files.ts';
export { makeResultCache, type ResultCache } from './result-cache.ts';
export {
  type FolderHandle,
  type FolderStats,
  joinFolder,
  makeFolderHandle,
  NO_STATS,
  readFolderStats,
  type SharedFolder,
  watchFolder,
} from './shared-folder/shared-folder.ts';
export { toFileStamp, toInodeStamp } from './stamp.ts';
export { type FoundFile, type SkippedEntry, walkFolder } from './walk-folder.ts';
export { openUnfinished, toWriteError, writeChunks, writeWholeFile } from './whole-file.ts';
