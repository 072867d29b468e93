export type { ExportArea, ExportRun, PlanExport, PlannedExport } from './export.ts';
