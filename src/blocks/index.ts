export type { BandFile, LevelWindow, WindowRequest } from './band-file.ts';
export {
  type BlockCache,
  type BlockKey,
  type CachedBlock,
  joinBlockCache,
  makeBlockCache,
  type SharedHandle,
} from './cache/index.ts';
export { checkStamp, makeReadWindow, type ReadWindow } from './read-window.ts';
