export { MEASURE_BYTES, makeCollectedValues, measureValues } from './collect-values.ts';
export type { SceneFailure, SceneStatistics, StatisticsResult } from './describe-scene.ts';
export {
  type ExplainedStatistics,
  type ExplainStatistics,
  makeExplainStatistics,
} from './explain-statistics.ts';
export {
  type MeasuredPiece,
  makeMeasureTools,
  makeStatisticsJobs,
  readPiece,
  type StatisticsJobs,
  statisticsReads,
  toPieceReads,
} from './measure-scene.ts';
export {
  type GridGroup,
  groupByGrid,
  isAtEdge,
  type MaskedScene,
  makePlanPieces,
  makeToPixel,
  type PlannedPiece,
  planScene,
  planWindowAround,
  sizeInPixels,
  toMeasuredArea,
} from './plan-scene.ts';
export type { Measured } from './scene-statistics-store.ts';
export { gatherWrites, type SceneStatisticsStore } from './scene-statistics-store.ts';
export { makeZonalStatistics, type ZonalStatistics } from './statistics.ts';
export {
  type ClassLevel,
  isAlias,
  MAX_EXPRESSIONS,
  makeParseExpressions,
  type ParseExpressions,
  refuseExpression,
  type StatisticsOrder,
} from './statistics-order.ts';
