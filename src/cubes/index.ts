export type { CubeGrid } from './grid/cube-grid.ts';
export type { WeightedCell } from './grid/weigh-cells.ts';
export { type GridFileReport, type GridReport, ingestGrids } from './ingest/ingest-grids.ts';
export { makeRulesPlan } from './ingest/plan-rules.ts';
export type { VariableRule } from './ingest/variable-rule.ts';
export { readSeries, type Series } from './series/read-series.ts';
export { type Cube, type CubeKind, toStep, toStepDay } from './store/cube.ts';
export { parseCubeName } from './store/cube-name.ts';
export { type Cubes, makeCubes } from './store/cubes.ts';
