export { type Cube, type CubeKind, type StepHours, toStep, toStepDay } from './cube.ts';
export type { CubeGrid } from './cube-grid.ts';
export {
  CUBES_FOLDER,
  type Cubes,
  type CubesConfig,
  type CubesLock,
  type LockFolder,
  lockCubes,
  makeCubes,
  openCubes,
  parseCubeName,
} from './cubes.ts';
export type { GridVariable } from './grid-file.ts';
export {
  BATCH_BYTES,
  type GridFileReport,
  type GridReport,
  type IngestGridsOptions,
  ingestGrids,
  withGridFiles,
} from './ingest-grids.ts';
export { type FoundGrid, listGridFiles } from './open-grid-file.ts';
export {
  type CubeField,
  type CubePart,
  isDaily,
  makeRulesPlan,
  type PlanFile,
  toSpacingMs,
  toStepHours,
  type VariableRule,
} from './plan-rules.ts';
export { readCells, readFields, readSeries, type Series } from './read-series.ts';
