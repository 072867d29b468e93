export { areaContains, areaKm2, areasIntersect, geometryBounds, isPointInArea } from './area.ts';
export {
  type AreaOutline,
  areaBounds,
  fillOutline,
  outlineBounds,
  outlineMeets,
  toOutline,
} from './area-outline.ts';
export type {
  AreaGeometry,
  LonLat,
  LonLatBounds,
  MultiPolygonGeometry,
  PointGeometry,
  PolygonGeometry,
  Ring,
} from './geometry.ts';
export {
  type Affine,
  applyAffine,
  type Bounds,
  type Grid,
  gridBounds,
  invertAffine,
  type Lattice,
  LON_LAT_GRID,
  moveLattice,
  moveOrigin,
  nearestAffine,
  type Size,
  scaleAffine,
  scaleLattice,
} from './grid.ts';
export {
  isTile,
  MAX_ZOOM,
  MERCATOR_HALF_SIDE_M,
  type Tile,
  tileAt,
  tileGrid,
  WGS84_RADIUS_M,
} from './tile.ts';
