export type { DemFile } from '../dem.ts';
export { DEM_FILES, type ListedDem } from '../dem.ts';
export { readDemFile } from '../ingest/read-dem-file.ts';
export { type Cell, findCellFault, toCellName, UNRELEASED } from './copernicus-cell.ts';
export { withCells } from './with-cells.ts';
