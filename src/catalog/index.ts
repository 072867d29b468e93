export type { Asset } from './asset.ts';
export { findScene, type SceneName } from './find-scene.ts';
export { makeKeyOrders } from './key-orders.ts';
export type {
  BandCalibration,
  Calibration,
  CloudMask,
  LinearScale,
  LookupTable,
  NoiseBlock,
  RadarNoise,
  SceneOrigin,
} from './product-details.ts';
export type { FieldValue, NewScene, Scene } from './scene.ts';
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
export {
  chooseLevel,
  L1C_DATASET,
  L2A_DATASET,
  toOtherLevel,
} from './sentinel2-levels.ts';
export { relates, type ShapeRelation } from './shape-relation.ts';
