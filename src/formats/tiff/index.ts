export type { DecodedRows } from './blocks/block-decode.ts';
export { maskOf, readBlockMask } from './blocks/block-mask.ts';
export {
  type Block,
  type BlockPosition,
  type PartBlock,
  type ReadRowsOptions,
  readBlock,
  readRows,
  toBandPixels,
  toBlockBuffer,
  toBlockNumber,
} from './blocks/block-reader.ts';
export { listStoredRanges } from './blocks/stored-ranges.ts';
export type { CogCompression } from './codecs/codecs.ts';
export type { CogResult } from './cog/cog-assembly.ts';
export type { CogOptions, OverviewMethod } from './cog/cog-options.ts';
export { type CogWriter, createCog } from './cog/cog-writer.ts';
export {
  type CopiedBand,
  type CopiedBlocks,
  type CopiedCog,
  type CopiedLevel,
  type CopiedMain,
  type CopyOptions,
  planCopiedCog,
  planCopiedMain,
} from './cog/copied-cog.ts';
export {
  encodeCogPart,
  encodeCogTop,
  estimatePartBytes,
  listBlocks,
  makePartRoom,
  type PartSource,
} from './cog/encode-part.ts';
export { type EncodedBlocks, transferOf } from './cog/encoded-blocks.ts';
export { createPartedCog, type PartedCogWriter } from './cog/parted-cog.ts';
export {
  type CogPart,
  estimateCogBytes,
  makeTopPixels,
  type PartedCog,
  planCogParts,
} from './cog/plan-cog-parts.ts';
export { type GeoKeyTags, toAreaKeys } from './georeference/geo-key-tags.ts';
export { isGeographicCode } from './georeference/geographic-codes.ts';
export {
  type ControlPoint,
  type Georeference,
  isStorableCode,
  isUsableTransform,
} from './georeference/georeference.ts';
export { toOnePixelTiff } from './georeference/one-pixel-tiff.ts';
export type { TiffImage } from './image/image-reader.ts';
export { readGeoKeys } from './image/read-geo-keys.ts';
export { openTiff, type Tiff } from './image/tiff-reader.ts';
export { type BandInfo, PLAIN_BAND } from './samples/gdal-metadata.ts';
export { toStoredNodata } from './samples/nodata.ts';
export { type AuxBand, type AuxXml, parseAuxXml } from './sidecars/aux-xml.ts';
export { joinOverviews, type TiffLevel } from './sidecars/external-overviews.ts';
export { parseWorldFile } from './sidecars/world-file.ts';
export { encodeFloatTiff, type FloatImage } from './tile/encode-float-tiff.ts';
