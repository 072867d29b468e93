export {
  type ByteRange,
  type ByteSource,
  HEAD_BYTES,
  type OpenSource,
  readHeader,
  SCENE_FILES,
} from './byte-source.ts';
export { copySource } from './copy-source.ts';
export { readRange, warmUpHttp } from './http-source.ts';
export {
  type ListBucket,
  type ListedObject,
  listFolders,
  listObjects,
  makeListBucket,
  parseTime,
} from './list-objects.ts';
export {
  isDataHref,
  makeReadFileStamp,
  mayHoldScenes,
  type ReadFileStamp,
  toFileHref,
  toFileStamp,
} from './local-files.ts';
export {
  makeS3Doors,
  makeSourceUpstream,
  type NetworkSources,
  type OpenSourceOptions,
  toSourceAdvice,
} from './network-sources.ts';
export { makeOpenSource } from './open-source.ts';
export { type Pin, parsePin } from './range-answer.ts';
export {
  type ArenaHandle,
  type ArenaSlice,
  copySlice,
  makeArenaHandle,
  makeRangeMemory,
  type RangeHold,
  type RangeMemory,
  readSlice,
  toArenaBytes,
} from './range-memory.ts';
export { makeTryFile, type TryFile } from './try-file.ts';
