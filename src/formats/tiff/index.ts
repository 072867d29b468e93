export { type AuxBand, type AuxXml, parseAuxXml } from './aux-xml.ts';
export type { DecodedRows } from './block-decode.ts';
export { maskOf, readBlockMask } from './block-mask.ts';
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
} from './block-reader.ts';
export type { CogCompression } from './codecs.ts';
export type { CogOptions, OverviewMethod } from './cog-options.ts';
export { type CogResult, type CogWriter, createCog } from './cog-writer.ts';
export { joinOverviews, type TiffLevel } from './external-overviews.ts';
export type { BandInfo } from './gdal-metadata.ts';
export type { ControlPoint, Georeference } from './georeference.ts';
export type { TiffImage } from './image-reader.ts';
export { toStoredNodata } from './nodata.ts';
export { openTiff, type Tiff } from './tiff-reader.ts';
export { parseWorldFile } from './world-file.ts';
