export { type IngestFolderOptions, type IngestProgress, ingestFolder } from './ingest-folder.ts';
export type { IngestReport, ProductOutcome, ProductReport } from './report.ts';
