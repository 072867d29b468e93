export { contourIntervalM } from './contours/contour-interval.ts';
export type { Dem, DemFile, DemFormat, DemOverview, ListedDem } from './dems/dem.ts';
export { type DemLookup, makeDemLookup } from './dems/dem-lookup.ts';
export { parseDemName } from './dems/dem-name.ts';
export type { DemLayer, DemStore } from './dems/dem-store.ts';
export { DEM_FILES } from './dems/dem-subject.ts';
export { type DemWatch, makeDemWatch } from './dems/dem-watch.ts';
export { makeGroundHeights } from './heights/ground-heights.ts';
export { ARTEFACT_REACH_PX } from './heights/remove-artefacts.ts';
export type { DemFileReport, DemReport } from './ingest/dem-report.ts';
export type { DemProgress, IngestDemOptions, MadeOverviews } from './ingest/dem-run.ts';
export { ingestDem } from './ingest/ingest-dem.ts';
export type { HeightUnit } from './ingest/record/height-unit.ts';
export { readDemFile } from './ingest/record/read-dem-file.ts';
export { dropOverviews, makeOverviews, type OverviewDeps as MosaicDeps } from './overviews/make-overviews.ts';
export { type PlannedFile, planOverviews } from './overviews/plan-overviews.ts';
export { type FindModels, makeFindModels } from './plan/find-models.ts';
export { makeTerrainJobs, type TerrainJobs } from './terrain-jobs.ts';
export { terrainReads } from './terrain-reads.ts';
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
  makeReadAreaStatistics,
  type ReadAreaStatistics,
} from './values/area-statistics.ts';
export type { AreaStatistics } from './values/measure-area.ts';
export { makeReadElevation, type ReadElevation } from './values/read-elevation.ts';
export { makeReadGrid, type ReadGrid } from './values/read-grid.ts';
export { makeReadProfile, type Profile, type ReadProfile } from './values/read-profile.ts';
