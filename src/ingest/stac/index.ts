export { makeCollectionExtents } from './export/to-stac-collection.ts';
export { makeToAddress, toStacItem } from './export/to-stac-item.ts';
export type { StacFilters } from './filters.ts';
export { type IngestStacOptions, ingestStac, type StacProgress } from './ingest-stac.ts';
export { makeIsAllowedHref } from './is-allowed-href.ts';
export { withoutSignature } from './scene/addresses.ts';
