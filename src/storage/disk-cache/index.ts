export { type DiskCache, type DiskCacheStats, makeDiskCache } from './disk-cache.ts';
export { makeResultCache, type ResultCache } from './result-cache.ts';
