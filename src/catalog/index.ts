export { coverWithCells } from './cover-cells.ts';
export {
  chooseLevel,
  findScene,
  L1C_DATASET,
  L2A_DATASET,
  type SceneName,
  toOtherLevel,
} from './find-scene.ts';
export {
  type ListedFile,
  listFiles,
  makeListFiles,
  parsePlaces,
  type StoredFiles,
} from './listed-files.ts';
export { compareScenes, compareTexts, matchesFilters, toMatchedFields } from './match-scene.ts';
export type {
  Asset,
  BandCalibration,
  Calibration,
  CloudMask,
  FieldValue,
  LinearScale,
  LookupTable,
  NewScene,
  RadarNoise,
  Scene,
} from './scene.ts';
export {
  type CatalogNote,
  type FieldFilter,
  type FiledHit,
  type HitPage,
  type PendingScene,
  type PutOutcome,
  type SceneHit,
  type SceneQuery,
  type SceneStore,
  toSearchFields,
} from './scene-store.ts';
export { makeKeyOrders, toCanonicalEntries, toScene, toVersion } from './scene-version.ts';
