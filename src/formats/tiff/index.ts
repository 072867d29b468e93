export { type Block, type BlockPosition, readBlock, toBandPixels } from './blocks/block-reader.ts';
export { toAreaKeys } from './georeference/geo-key-tags.ts';
export { isStorableCode } from './georeference/georeference.ts';
export type { TiffImage } from './image/image-reader.ts';
export { openTiff, type Tiff } from './image/tiff-reader.ts';
export type { BandInfo } from './samples/gdal-metadata.ts';
export { toStoredNodata } from './samples/nodata.ts';
export { encodeFloatTiff } from './tile/encode-float-tiff.ts';
