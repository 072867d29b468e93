export {
  closeRing,
  cutAtAntimeridian,
  eastOf,
  endAtStart,
  turnRing,
  unwrapRing,
  westOf,
} from './antimeridian.ts';
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
  type AreaGeometry,
  type LonLat,
  type LonLatBounds,
  type MultiPolygonGeometry,
  type PointGeometry,
  type PolygonGeometry,
  type Ring,
  signedSize,
  snapDegrees,
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
export { type AreaFault, type AreaRule, findOverlap, findPolygonFault } from './polygon-faults.ts';
export {
  isTile,
  MAX_ZOOM,
  MERCATOR_HALF_SIDE_M,
  type Tile,
  tileAt,
  tileGrid,
  WGS84_RADIUS_M,
} from './tile.ts';
