export { contourIntervalM } from './contours/draw-contours.ts';
export {
  DEM_FILES,
  type Dem,
  type DemFile,
  type DemFormat,
  type DemLayer,
  type DemOverview,
  type DemStore,
  type ListedDem,
  parseDemName,
} from './dem.ts';
export { type DemLookup, makeDemLookup } from './dem-lookup.ts';
export { ARTEFACT_REACH_PX } from './heights/filter-heights.ts';
export { makeGroundHeights } from './heights/ground-heights.ts';
export type {
  DemFileReport,
  DemProgress,
  DemReport,
  IngestDemOptions,
  MadeOverviews,
} from './ingest/dem-run.ts';
export { ingestDem } from './ingest/ingest-dem.ts';
export { dropOverviews, makeOverviews, type OverviewDeps as MosaicDeps } from './ingest/make-overviews.ts';
export { type PlannedFile, planOverviews } from './ingest/plan-overviews.ts';
export { type HeightUnit, readDemFile } from './ingest/read-dem-file.ts';
export { type DemWatch, type FindModels, makeDemWatch, makeFindModels } from './plan/find-models.ts';
export { makeTerrainJobs, type TerrainJobs, terrainReads } from './terrain-jobs.ts';
export type {
  ContourFormat,
  ReliefFormat,
  TerrainFormat,
  TerrainProduct,
  TerrainTile,
} from './tiles/terrain-plan.ts';
export {
  makeTerrainTiles,
  type PlannedTile,
  type TerrainTileRequest,
  type TerrainTiles,
} from './tiles/terrain-tiles.ts';
export {
  type AreaRequest,
  type AreaStatistics,
  makeReadAreaStatistics,
  type ReadAreaStatistics,
} from './values/area-statistics.ts';
export { makeReadElevation, type ReadElevation } from './values/read-elevation.ts';
export { makeReadGrid, type ReadGrid } from './values/read-grid.ts';
export { makeReadProfile, type Profile, type ReadProfile } from './values/read-profile.ts';
