export { readCloudPolygons } from '../families/sentinel2/cloud-polygons.ts';
export { type IngestFolderOptions, type IngestProgress, ingestFolder } from './ingest-folder.ts';
export type { IngestReport, ProductOutcome, ProductReport } from './report.ts';
