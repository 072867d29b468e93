export type { Dem, DemFile, DemFormat, DemOverview, ListedDem } from './dems/dem.ts';
export { toDemFileId } from './dems/dem-file-id.ts';
export { parseDemName } from './dems/dem-name.ts';
export type { DemLayer, DemStore } from './dems/dem-store.ts';
export type { DemFileReport, DemReport } from './ingest/dem-report.ts';
export type { DemProgress, IngestDemOptions } from './ingest/dem-run.ts';
export { ingestDem } from './ingest/ingest-dem.ts';
export type { HeightUnit } from './ingest/record/height-unit.ts';
