export {
  type ExplainedStatistics,
  type ExplainStatistics,
  makeExplainStatistics,
} from './explain-statistics.ts';
export { makeStatisticsJobs, type StatisticsJobs, statisticsReads } from './measure-scene.ts';
export { makeZonalStatistics, type ZonalStatistics } from './statistics.ts';
export {
  type ClassLevel,
  gatherWrites,
  isAlias,
  MAX_EXPRESSIONS,
  type Measured,
  refuseExpression,
  type SceneFailure,
  type SceneStatistics,
  type SceneStatisticsStore,
  type StatisticsOrder,
  type StatisticsResult,
} from './statistics-order.ts';
