export { type BandsOrder, makePlanBandsFile } from './bands/plan-bands-file.ts';
export { type DownloadKind, type DownloadOrders, type Downloads, makeDownloads } from './downloads.ts';
export type { ExportArea } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
export { type IndexOrder, makePlanIndexFile } from './index-files/plan-index-file.ts';
export { makePlanPictureFile, type PictureFile, type PictureOrder } from './pictures/plan-picture-file.ts';
