export { copySource } from './copy-source.ts';
export { readRange } from './http/http-source.ts';
export { type Pin, parsePin } from './http/range-answer.ts';
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
export { makeSourceUpstream, type NetworkSources, type OpenSourceOptions } from './network-sources.ts';
export { makeOpenSource } from './open-source.ts';
export type { ByteRange } from './ranges/byte-range.ts';
export type { ByteSource, OpenSource } from './ranges/byte-source.ts';
export { HEAD_BYTES, readHeader } from './ranges/header-reads.ts';
export {
  type ArenaHandle,
  type ArenaSlice,
  copySlice,
  makeArenaHandle,
  readSlice,
  toArenaBytes,
} from './ranges/range-arena.ts';
export { makeRangeMemory, type RangeHold, type RangeMemory } from './ranges/range-memory.ts';
export { type ListedObject, listFolders, listObjects, parseTime } from './s3/list-objects.ts';
export { makeS3Doors } from './s3/s3-doors.ts';
export { toSourceAdvice } from './source-advice.ts';
export { SCENE_FILES } from './subject.ts';
