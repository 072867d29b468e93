export { type BufferPool, makeBufferPool } from './buffer-pool.ts';
export { ignoreMissing, isGone, toInodeStamp, toSystemCode } from './file-state.ts';
export { describeRights, keepFilesPrivate } from './private-files.ts';
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
} from './shared-folder.ts';
export { type FoundFile, type SkippedEntry, walkFolder } from './walk-folder.ts';
export {
  type FolderFiles,
  nodeFiles,
  type OutputFile,
  type OutputFiles,
  openUnfinished,
  type SyncedFile,
  toWriteError,
  withoutSync,
  writeChunks,
  writeWholeFile,
} from './whole-file.ts';
