export { type Affine, applyAffine, invertAffine, type Size, scaleAffine } from './affine.ts';
export { areaContains, areasIntersect, geometryBounds, isPointInArea } from './area.ts';
export { type Bounds, gridBounds } from './bounds.ts';
export type {
  AreaGeometry,
  LonLat,
  LonLatBounds,
  MultiPolygonGeometry,
  PointGeometry,
  PolygonGeometry,
  Ring,
} from './geometry.ts';
export type { Grid } from './grid.ts';
export { type Lattice, nearestAffine, scaleLattice } from './lattice.ts';
export { isTile, MAX_ZOOM, type Tile, tileAt, tileGrid } from './tile.ts';
