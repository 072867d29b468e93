export type { ExportArea, ExportRun, PlanExport, PlannedExport } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
export type { IndexOrder } from './index-files/index-order.ts';
export { makePlanIndexFile } from './index-files/plan-index-file.ts';
export { DEFAULT_PICTURE_LIMITS, type PictureLimits } from './pictures/picture-limits.ts';
export type { PictureFile, PictureOrder } from './pictures/picture-order.ts';
export { makePlanPictureFile } from './pictures/plan-picture-file.ts';
export type { PixelSize } from './pictures/plan-picture-grid.ts';
