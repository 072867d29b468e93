export { type ConversionReport, convertScenes, type SceneConversion } from './convert/convert-scenes.ts';
export {
  findAffinePlacement,
  type HeaderDeps,
  type OpenedImage,
  readHeader,
} from './files/read-header.ts';
export { renewFiles } from './files/renew-files.ts';
export { listSceneFiles, type SceneFiles, withStamps } from './files/scene-files.ts';
export {
  type IngestFolderOptions,
  type IngestProgress,
  type IngestReport,
  ingestFolder,
  type ProductOutcome,
  type ProductReport,
  readCloudPolygons,
} from './folder/index.ts';
export {
  type IngestStacOptions,
  ingestStac,
  makeCollectionExtents,
  makeIsAllowedHref,
  makeToAddress,
  type StacFilters,
  type StacProgress,
  toStacItem,
  withoutSignature,
} from './stac/index.ts';
