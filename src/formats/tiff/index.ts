export { type Block, type BlockPlace, readBlock, toBandPixels, toBlockNumber } from './block-reader.ts';
export type { CogCompression } from './codecs.ts';
export type { CogOptions, OverviewMethod } from './cog-options.ts';
export { type CogResult, type CogWriter, createCog } from './cog-writer.ts';
export type { BandInfo } from './gdal-metadata.ts';
export type { TiffImage } from './image-reader.ts';
export { openTiff, type Tiff } from './tiff-reader.ts';
