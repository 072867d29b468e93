export { contourIntervalM } from './contours/draw-contours.ts';
export {
  DEM_FILES,
  type Dem,
  type DemFile,
  type DemLayer,
  type DemStore,
  type ListedDem,
  parseDemName,
} from './dem.ts';
export { makeDemLookup } from './dem-lookup.ts';
export { makeTerrainExplainer, type TerrainExplainer } from './explain/explain-terrain.ts';
export { makeGroundHeights } from './heights/ground-heights.ts';
export type { DemProgress, DemReport, IngestDemOptions, MadeOverviews } from './ingest/dem-run.ts';
export { ingestDem } from './ingest/ingest-dem.ts';
export { dropOverviews, makeOverviews, type OverviewDeps as MosaicDeps } from './ingest/make-overviews.ts';
export { type PlannedFile, planOverviews } from './ingest/plan-overviews.ts';
export { readDemFile } from './ingest/read-dem-file.ts';
export { makeDemWatch, makeFindModels } from './plan/find-models.ts';
export { makeTerrainJobs, type TerrainJobs, terrainReads } from './terrain-jobs.ts';
export type { TerrainFormat, TerrainProduct } from './tiles/terrain-plan.ts';
export { makeTerrainTiles, type TerrainTileRequest, type TerrainTiles } from './tiles/terrain-tiles.ts';
export { makeReadAreaStatistics, type ReadAreaStatistics } from './values/area-statistics.ts';
export { makeReadElevation, type ReadElevation } from './values/read-elevation.ts';
export { makeReadGrid } from './values/read-grid.ts';
export { makeReadProfile, type ReadProfile } from './values/read-profile.ts';
