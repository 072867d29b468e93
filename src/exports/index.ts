export type { BandsOrder, OrderedMetadata } from './bands/bands-order.ts';
export { makePlanBandsFile } from './bands/plan-bands-file.ts';
export type { ExportArea, ExportRun, PlanExport, PlannedExport } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
export type { IndexOrder } from './index-files/index-order.ts';
export { makePlanIndexFile } from './index-files/plan-index-file.ts';
