export type { Asset } from './asset.ts';
export { type ConversionReport, convertScenes, type SceneConversion } from './convert-scenes.ts';
export { findScene, type SceneName } from './find-scene.ts';
export {
  type IngestFolderOptions,
  type IngestProgress,
  type IngestReport,
  ingestFolder,
  type ProductOutcome,
  type ProductReport,
  readCloudPolygons,
} from './ingest/index.ts';
export { makeKeyOrders } from './key-orders.ts';
export type {
  BandCalibration,
  Calibration,
  CloudMask,
  LinearScale,
  LookupTable,
  SceneOrigin,
} from './product-details.ts';
export { renewFiles } from './renew-files.ts';
export type { FieldValue, NewScene, Scene } from './scene.ts';
export { listSceneFiles, type SceneFiles, withStamps } from './scene-files.ts';
export type {
  FieldFilter,
  PutOutcome,
  SceneHit,
  ScenePage,
  SceneQuery,
  SceneStore,
} from './scene-store.ts';
export { toCanonicalEntries, toScene, toVersion } from './scene-version.ts';
export { toSearchFields } from './search-fields.ts';
export { relates, type ShapeRelation } from './shape-relation.ts';
export {
  type IngestStacOptions,
  ingestStac,
  makeIsAllowedHref,
  makeToAddress,
  type StacFilters,
  type StacProgress,
  toStacItem,
} from './stac/index.ts';
