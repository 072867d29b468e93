export type { Dem, DemFile, DemFormat, DemOverview, ListedDem } from './dems/dem.ts';
export type { DemLayer, DemStore } from './dems/dem-store.ts';
export { type EncodedHeights, encodeTerrainRgb, encodeTerrarium } from './heights/encode-heights.ts';
export { FILTER_REACH_PX, type FilteredHeights, filterHeights } from './heights/filter-heights.ts';
