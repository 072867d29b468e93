export {
  type ExplainedStatistics,
  type ExplainStatistics,
  makeExplainStatistics,
} from './explain-statistics.ts';
export { makeStatisticsJobs, type StatisticsJobs, statisticsReads } from './measure-scene.ts';
export type { Measured, SceneFailure, SceneStatistics, StatisticsResult } from './scene-statistics.ts';
export { gatherWrites, type SceneStatisticsStore } from './scene-statistics.ts';
export { makeZonalStatistics, type ZonalStatistics } from './statistics.ts';
export {
  type ClassLevel,
  isAlias,
  MAX_EXPRESSIONS,
  refuseExpression,
  type StatisticsOrder,
} from './statistics-order.ts';
