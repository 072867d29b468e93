export type { Affine } from './affine.ts';
export type {
  AreaGeometry,
  LonLat,
  MultiPolygonGeometry,
  PointGeometry,
  PolygonGeometry,
  Ring,
} from './geometry.ts';
