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
export { checkStamp, makeReadWindow, type ReadWindow } from './read-window.ts';
export { makeThreadTools, type ThreadSettings, type ThreadTools } from './thread-tools.ts';
