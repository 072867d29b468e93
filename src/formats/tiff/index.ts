export {
  type Block,
  type BlockPosition,
  readBlock,
  toBandPixels,
  toBlockNumber,
} from './blocks/block-reader.ts';
export { toAreaKeys } from './georeference/geo-keys.ts';
export { isStorableCode } from './georeference/georeference.ts';
export type { TiffImage } from './image-reader.ts';
export { type BandInfo, type FileMetadata, toStoredNodata } from './samples/gdal-metadata.ts';
export { encodeFloatTiff } from './small-tiff.ts';
export { openTiff, type Tiff } from './tiff-reader.ts';
