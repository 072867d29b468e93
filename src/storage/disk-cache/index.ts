export { type DiskCache, makeDiskCache } from './disk-cache.ts';
