export {
  BULK_FORMATS,
  BULK_LAYOUTS,
  type BulkOrder,
  type BulkTask,
  type OrderedShape,
  toBulkFile,
} from './bulk-order.ts';
export { type BulkStatistics, makeBulkStatistics } from './bulk-statistics.ts';
export { WEIGHTS } from './cover-shapes.ts';
export {
  type DailyRequest,
  type DailySource,
  type JoinedColumn,
  type JoinedVariable,
  MAX_JOINED_DAYS,
  type ReadDaily,
  type ShapeDays,
} from './joined-days.ts';
export { type MeasureNow, makeMeasureNow } from './measure-now.ts';
export { type BulkJobs, bulkReads, makeBulkJobs } from './measure-window.ts';
export type { CollectionFault } from './parse-collection.ts';
export { estimateParts } from './scene-part.ts';
