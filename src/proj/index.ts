export {
  type ApproximateGrid,
  cacheGrid,
  evaluatePatch,
  findGrid,
  listGrids,
  makeApproximateGrid,
  PATCH_LENGTH,
  type PlannedGrids,
  packGrids,
  unlistGrids,
  unpackGrids,
} from './approximate-grid.ts';
export type { CrsId, Position } from './crs.ts';
export { type GroundControlPoint, parseLattice } from './parse-lattice.ts';
export {
  fromMercator,
  type GeoreferencedGrid,
  makePixelMapping,
  makeProjection,
  type PixelMapping,
  type Projection,
  projectBounds,
  UNBOUNDED_MERCATOR,
} from './projection.ts';
