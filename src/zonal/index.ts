export type { SceneFailure, SceneStatistics, StatisticsResult } from './describe-scene.ts';
export {
  type ExplainedStatistics,
  type ExplainStatistics,
  makeExplainStatistics,
} from './explain-statistics.ts';
export { makeStatisticsJobs, type StatisticsJobs, statisticsReads } from './measure-scene.ts';
export type { Measured } from './scene-statistics-store.ts';
export { gatherWrites, type SceneStatisticsStore } from './scene-statistics-store.ts';
export { makeZonalStatistics, type ZonalStatistics } from './statistics.ts';
export {
  type ClassLevel,
  isAlias,
  MAX_EXPRESSIONS,
  refuseExpression,
  type StatisticsOrder,
} from './statistics-order.ts';
