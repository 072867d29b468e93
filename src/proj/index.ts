export { type ApproximateGrid, makeApproximateGrid } from './approximate-grid.ts';
export type { CrsId } from './crs.ts';
export { type GroundControlPoint, parseLattice } from './parse-lattice.ts';
export { type GeoreferencedGrid, makePixelMapping, type PixelMapping } from './pixel-mapping.ts';
export { projectBounds } from './project-bounds.ts';
export { makeProjection, type Position, type Projection } from './projection.ts';
export { evaluatePatch, PATCH_LENGTH } from './quadratic-patch.ts';
export { fromMercator, UNBOUNDED_MERCATOR } from './unbounded-mercator.ts';
