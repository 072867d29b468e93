export type { GridFile, GridVariable } from './files/grid-file.ts';
export type { CubeGrid } from './grid/cube-grid.ts';
export type { WeightedCell } from './grid/weigh-cells.ts';
export { BATCH_BYTES } from './ingest/cube-batches.ts';
export type { CubeField, CubePart, PlanFile } from './ingest/cube-part.ts';
export {
  type GridFileReport,
  type GridReport,
  type IngestGridsOptions,
  ingestGrids,
} from './ingest/ingest-grids.ts';
export { type FoundGrid, listGridFiles } from './ingest/list-grid-files.ts';
export { makeRulesPlan } from './ingest/plan-rules.ts';
export { isDaily, toSpacingMs, toStepHours } from './ingest/step-hours.ts';
export type { VariableRule } from './ingest/variable-rule.ts';
export { readFields } from './series/read-fields.ts';
export { readCells, readSeries, type Series } from './series/read-series.ts';
export { type Cube, type CubeKind, type StepHours, toStep, toStepDay } from './store/cube.ts';
export { parseCubeName } from './store/cube-name.ts';
export { type Cubes, makeCubes } from './store/cubes.ts';
export {
  CUBES_FOLDER,
  type CubesConfig,
  type CubesLock,
  type LockFolder,
  lockCubes,
  openCubes,
  withGridFiles,
} from './store/open-cubes.ts';
