export {
  type ApproximateGrid,
  evaluatePatch,
  makeApproximateGrid,
  PATCH_LENGTH,
} from './approximate-grid.ts';
export type { CrsId } from './crs.ts';
export { type GroundControlPoint, parseLattice } from './parse-lattice.ts';
export { type GeoreferencedGrid, makePixelMapping, type PixelMapping } from './pixel-mapping.ts';
export {
  fromMercator,
  makeProjection,
  type Position,
  type Projection,
  projectBounds,
  UNBOUNDED_MERCATOR,
} from './projection.ts';
