export { type IngestFolderOptions, type IngestProgress, ingestFolder } from './ingest-folder.ts';
export { readCloudPolygons } from './metadata/sentinel2-clouds.ts';
export type { IngestReport, ProductOutcome, ProductReport } from './report.ts';
