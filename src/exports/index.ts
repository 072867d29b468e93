export type { ExportArea, ExportRun, PlanExport, PlannedExport } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
export { DEFAULT_PICTURE_LIMITS, type PictureLimits } from './pictures/picture-limits.ts';
export type { PictureFile, PictureOrder } from './pictures/picture-order.ts';
export { makePlanPictureFile } from './pictures/plan-picture-file.ts';
export type { PixelSize } from './pictures/plan-picture-grid.ts';
