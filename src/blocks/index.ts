export {
  type BandFile,
  type FileState,
  type LevelWindow,
  toOpenedState,
  type WindowRequest,
} from './band-file.ts';
export {
  type BlockCache,
  type BlockKey,
  type CachedBlock,
  joinBlockCache,
  makeBlockCache,
  type SharedHandle,
} from './cache/index.ts';
export { type DecodeJobs, makeDecodeJobs } from './fetch/decode-job.ts';
export { type FetchCounts, makeCountersMemory, makeFetchCounters } from './fetch/fetch-counters.ts';
export type { RemoteFile } from './fetch/fetch-protocol.ts';
export { type LookAhead, makeLookAhead } from './fetch/look-ahead.ts';
export { type NetworkThread, startNetworkThread } from './fetch/network-thread.ts';
export { type NetworkSettings, serveFetches } from './fetch/serve-fetches.ts';
export { type JobReads, withFetch } from './fetch/with-fetch.ts';
export { checkStamp } from './open-files.ts';
export { makeReadWindow, type ReadWindow } from './read-window.ts';
export { makeThreadTools, type ThreadSettings, type ThreadTools } from './thread-tools.ts';
