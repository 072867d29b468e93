/** The second door of zonal/: what measuring many areas at once shares with measuring one. */

export {
  FEW_VALUES,
  fewWorkBytes,
  MEASURE_BYTES,
  makeCollectedValues,
  measureValues,
} from './collect-values.ts';
export { type LayerJobs, layerReads, makeLayerJobs, type ReadLayer } from './layer-jobs.ts';
export { type MeasuredPiece, makeMeasureTools, readPiece, toPieceReads } from './measure-scene.ts';
export { GROUND_BLOCK_PX, makePixelHectares, makeToLonLat } from './pixel-ground.ts';
export {
  type GridGroup,
  groupByGrid,
  isAtEdge,
  isSunMissing,
  type MaskedScene,
  makePlanPieces,
  makeToPixel,
  type PixelRings,
  type PlannedPiece,
  planScene,
  planWindowAround,
  projectRing,
  sizeOfRings,
  toMeasuredArea,
  toPixelRings,
} from './plan-scene.ts';
export {
  type LayerPixels,
  type LayerRequest,
  makeReadLayers,
  type ReadLayers,
  toPixelM,
} from './read-layers.ts';
export { type Candidate, isSentinel2, makeFindCandidates } from './statistics.ts';
export { describeScene, isEmptyScene, parseMeasured } from './statistics-order.ts';
