export type { ByteSource } from './byte-source.ts';
export { makeDataFiles, type OpenSource } from './data-files.ts';
export { toFileHref } from './folder-files.ts';
export { makeOpenSource, type NetworkSources } from './open-source.ts';
