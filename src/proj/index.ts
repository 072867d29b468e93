export {
  type ApproximateGrid,
  evaluatePatch,
  makeApproximateGrid,
  PATCH_LENGTH,
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
