export { type Affine, applyAffine, invertAffine, moveOrigin, type Size, scaleAffine } from './affine.ts';
export {
  closeRing,
  cutAtAntimeridian,
  eastOf,
  endAtStart,
  turnRing,
  unwrapRing,
  westOf,
} from './antimeridian.ts';
export { areaContains, areasIntersect, geometryBounds, isPointInArea } from './area.ts';
export { type AreaOutline, areaBounds, outlineBounds, toOutline } from './area-outline.ts';
export { areaKm2 } from './area-size.ts';
export { type Bounds, gridBounds } from './bounds.ts';
export { signedSize, snapDegrees } from './exact.ts';
export { fillOutline } from './fill-outline.ts';
export type {
  AreaGeometry,
  LonLat,
  LonLatBounds,
  MultiPolygonGeometry,
  PointGeometry,
  PolygonGeometry,
  Ring,
} from './geometry.ts';
export { type Grid, LON_LAT_GRID } from './grid.ts';
export { type Lattice, moveLattice, nearestAffine, scaleLattice } from './lattice.ts';
export { outlineMeets } from './outline-meets.ts';
export { findOverlap } from './overlap-fault.ts';
export { type AreaFault, type AreaRule, findPolygonFault } from './polygon-faults.ts';
export {
  isTile,
  MAX_ZOOM,
  MERCATOR_HALF_SIDE_M,
  type Tile,
  tileAt,
  tileGrid,
  WGS84_RADIUS_M,
} from './tile.ts';
