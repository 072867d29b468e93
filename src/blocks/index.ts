export { type BlockCache, joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
export type { StoredBlock } from './cache/cached-block.ts';
export type { SharedHandle } from './cache/layout.ts';
export { type CachedPixels, findFileBlocks, makeCachedPixels } from './cached-pixels.ts';
export { type LookAhead, makeLookAhead } from './fetch/look-ahead.ts';
export { startNetworkThread } from './fetch/network-thread.ts';
export type { RemoteFile } from './fetch/protocol.ts';
export {
  type FetchCounts,
  makeCountersMemory,
  makeFetchCounters,
  type NetworkSettings,
  serveFetches,
} from './fetch/serve-fetches.ts';
export { type DecodeJobs, type JobReads, makeDecodeJobs, withFetch } from './fetch/with-fetch.ts';
export {
  type BandFile,
  checkStamp,
  checkStatedFile,
  isSameImage,
  type LevelWindow,
  type StatedImage,
  toOpenedState,
  toStated,
  type WindowRequest,
} from './image-files.ts';
export { makeReadWindow, type ReadWindow } from './read-window.ts';
export {
  makeSurveyJobs,
  makeSurveyWindows,
  type SurveyJobs,
  type WindowFindings,
  type WindowSurvey,
} from './survey-windows.ts';
export { makeThreadTools, type ThreadSettings, type ThreadTools } from './thread-tools.ts';
