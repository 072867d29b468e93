export {
  type BlockCache,
  type BlockCacheOwner,
  type BlockCacheStats,
  joinBlockCache,
  makeBlockCache,
} from './block-cache.ts';
export { type BlockKey, type FileKey, toFileKey } from './block-key.ts';
export type { CachedBlock, FreshBlock, MaskedBlock, ResumePoint } from './cached-block.ts';
export type { SharedHandle } from './layout.ts';
export { type BlockNeed, makeUseBlock, type UseBlock } from './use-block.ts';
