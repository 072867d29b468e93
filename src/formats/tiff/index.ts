export type { DecodedRows } from './blocks/block-decode.ts';
export { maskOf, readBlockMask } from './blocks/block-mask.ts';
export {
  type Block,
  type BlockPlace,
  type PartBlock,
  type ReadRowsOptions,
  readBlock,
  readRows,
  toBandPixels,
  toBlockNumber,
  toBlockShape,
} from './blocks/block-reader.ts';
export type { CogCompression } from './codecs/codecs.ts';
export type { CogOptions, OverviewMethod } from './cog/cog-options.ts';
export { type CogResult, type CogWriter, createCog } from './cog/cog-writer.ts';
export type { ControlPoint, Georeference } from './georeference/georeference.ts';
export type { TiffImage } from './image/image-reader.ts';
export { openTiff, type Tiff } from './image/tiff-reader.ts';
export type { BandInfo } from './samples/gdal-metadata.ts';
export { toStoredNodata } from './samples/nodata.ts';
export { type AuxBand, type AuxXml, parseAuxXml } from './sidecars/aux-xml.ts';
export { joinOverviews, type TiffLevel } from './sidecars/external-overviews.ts';
export { parseWorldFile } from './sidecars/world-file.ts';
