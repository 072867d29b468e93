export { type BandsOrder, makePlanBandsFile } from './bands/plan-bands-file.ts';
export {
  type CoverageOrder,
  MAX_COVERAGE_SAMPLES,
  makePlanCoverage,
  type PlanCoverage,
} from './coverages/read-coverage.ts';
export {
  type DownloadKind,
  type DownloadOrders,
  type Downloads,
  isMosaicOrder,
  makeDownloads,
} from './downloads.ts';
export type { ExportArea, ExportContent, PlannedExport } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
export { toFileCrs } from './georeference.ts';
export { type IndexOrder, makePlanIndexFile } from './index-files/plan-index-file.ts';
export type { MosaicContent, MosaicOrder } from './mosaics/mosaic-order.ts';
export { makePlanMosaicFile } from './mosaics/plan-mosaic-file.ts';
export { isMosaicSystem, toMapSize } from './mosaics/plan-mosaic-grid.ts';
export type { PictureFile } from './pictures/picture-form.ts';
export { makePlanPictureFile, type PictureOrder } from './pictures/plan-picture-file.ts';
