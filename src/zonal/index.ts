export { gatherWrites } from './gathered-writes.ts';
export { makeStatisticsJobs, type StatisticsJobs } from './measure-scene.ts';
export type { Measured, SceneFailure, SceneStatistics, StatisticsResult } from './scene-statistics.ts';
export type { SceneStatisticsStore } from './scene-statistics-store.ts';
export { makeZonalStatistics, type ZonalStatistics } from './statistics.ts';
export { isAlias, MAX_EXPRESSIONS, refuseExpression } from './statistics-expressions.ts';
export type { ClassLevel, CloudOptions, StatisticsOrder } from './statistics-order.ts';
export { statisticsReads } from './statistics-reads.ts';
