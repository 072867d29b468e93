export { type ArrayAttribute, type ArrayFile, type ArrayVariable, MAX_PART_VALUES } from './array-file.ts';
export type { BlockFile, BlockImage, StoredRange } from './block-file/block-file.ts';
export { type FoundSidecar, findSidecars } from './block-file/find-sidecars.ts';
export { openBlockFile } from './block-file/open-block-file.ts';
export { type Placement, toPlacement } from './block-file/placement.ts';
export { readStoredFile, type StoredBytes, type StoredFile } from './block-file/stored-file.ts';
export { decodeRgb, type RgbPixels } from './decode-rgb.ts';
export {
  describeField,
  findGrib,
  type GribDescription,
  type GribField,
  type GribFile,
  openGrib,
} from './grib/index.ts';
export { type Hdf5Thread, makeHdf5Thread } from './hdf5/index.ts';
export {
  createJp2,
  type EncodedTile,
  encodeJp2Tile,
  type Jp2Decoder,
  type Jp2Encoder,
  type Jp2Options,
  type Jp2Pixels,
  type Jp2Writer,
  makeJp2Decoder,
  makeJp2Encoder,
  planDecompositions,
  type WrittenImage,
  writeJp2,
} from './jp2/index.ts';
export { encodeJpeg, encodeJpegStrip, toJpegStripEnd, toJpegStripsHead } from './jpeg/index.ts';
export { encodeVectorTile, type VectorLayer, type VectorLineFeature } from './mvt/index.ts';
export { encodeNetcdf, type NetcdfVariable, openNetcdf } from './netcdf/index.ts';
export {
  encodeGreyPng,
  encodeIndexedPng,
  encodePng,
  encodePngStrip,
  type PngStrip,
  toPngStripsEnd,
  toPngStripsHead,
} from './png/index.ts';
export { type SidecarFiles, type SidecarSuffix, sidecarHref } from './sidecars/sidecar-files.ts';
export {
  type BandInfo,
  type Block,
  type BlockPosition,
  type CogCompression,
  type CogOptions,
  type CogPart,
  type CogResult,
  type CogWriter,
  type ControlPoint,
  type CopiedBand,
  type CopiedBlocks,
  type CopiedCog,
  type CopiedMain,
  type CopyOptions,
  createCog,
  createPartedCog,
  type DecodedRows,
  type EncodedBlocks,
  encodeCogPart,
  encodeCogTop,
  encodeFloatTiff,
  estimateCogBytes,
  estimatePartBytes,
  type FloatImage,
  type GeoKeyTags,
  isStorableCode,
  listBlocks,
  makePartRoom,
  makeTopPixels,
  type OverviewMethod,
  openTiff,
  type PartBlock,
  type PartedCog,
  type PartedCogWriter,
  type PartSource,
  planCogParts,
  planCopiedCog,
  planCopiedMain,
  type ReadRowsOptions,
  readBlock,
  type Tiff,
  type TiffImage,
  toAreaKeys,
  toBandPixels,
  toStoredNodata,
  transferOf,
} from './tiff/index.ts';
export { encodeWebp } from './webp.ts';
export { openZarr } from './zarr/index.ts';
export { writeZip, type ZipEntry, type ZipOptions, type ZipSource } from './zip/index.ts';
