export { type ConversionReport, convertScenes, type SceneConversion } from './convert/convert-scenes.ts';
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
  makeIsAllowedHref,
  makeToAddress,
  type StacFilters,
  type StacProgress,
  toStacItem,
} from './stac/index.ts';
