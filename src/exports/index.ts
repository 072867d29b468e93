export type { ExportArea, ExportRun, PlanExport, PlannedExport } from './export.ts';
export { type ExportJobs, makeExportJobs } from './export-jobs.ts';
