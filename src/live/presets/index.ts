export { findCatalogProblems } from '../check-catalog.ts';
export { knownCollections, presets } from './all-presets.ts';
export { COPERNICUS_ENDPOINT } from './copernicus.ts';
