export type { Dem, DemFile, DemFormat, DemOverview, ListedDem } from './dems/dem.ts';
export type { DemLayer, DemStore } from './dems/dem-store.ts';
