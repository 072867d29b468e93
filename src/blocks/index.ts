export { type BlockCache, joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
export type { BlockKey, StoredBlock } from './cache/cached-block.ts';
export type { SharedHandle } from './cache/layout.ts';
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
export { checkStamp, checkStatedFile, isSameImage } from './open-files.ts';
export { makeReadWindow, type ReadWindow } from './read-window.ts';
export {
  type FileProblem,
  makeSurveyJobs,
  makeSurveyWindows,
  type SurveyJobs,
  type SurveyWindows,
  type WindowFindings,
  type WindowSurvey,
} from './survey-windows.ts';
export { makeThreadTools, type ThreadSettings, type ThreadTools } from './thread-tools.ts';
export {
  type BandFile,
  type LevelWindow,
  type StatedImage,
  toOpenedState,
  toStated,
  type WindowRequest,
} from './window-request.ts';
