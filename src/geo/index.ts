export type {
  AreaGeometry,
  LonLat,
  LonLatBounds,
  MultiPolygonGeometry,
  PointGeometry,
  PolygonGeometry,
  Ring,
} from './area.ts';
export { areaContains, areaKm2, areasIntersect, geometryBounds, isPointInArea } from './area.ts';
export {
  type AreaOutline,
  areaBounds,
  fillOutline,
  outlineBounds,
  outlineMeets,
  toOutline,
} from './area-outline.ts';
export {
  type Affine,
  applyAffine,
  type Bounds,
  type Grid,
  gridBounds,
  invertAffine,
  isTile,
  type Lattice,
  LON_LAT_GRID,
  MAX_ZOOM,
  MERCATOR_HALF_SIDE_M,
  moveLattice,
  moveOrigin,
  nearestAffine,
  type Size,
  scaleAffine,
  scaleLattice,
  type Tile,
  tileAt,
  tileGrid,
  WGS84_RADIUS_M,
} from './grid.ts';
export { hilbertKey } from './hilbert.ts';
