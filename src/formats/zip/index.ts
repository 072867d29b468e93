export { writeZip, type ZipOptions } from './write-zip.ts';
export type { ZipEntry, ZipSource } from './zip-entry.ts';
