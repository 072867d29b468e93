/** A point as GeoJSON orders it: longitude first. */
export type LonLat = readonly [lon: number, lat: number];

/** A closed ring: the last position repeats the first. */
export type Ring = readonly LonLat[];

/** GeoJSON geometries Swath stores and compares. */
export type PointGeometry = { readonly type: 'Point'; readonly coordinates: LonLat };
export type PolygonGeometry = { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] };
export type MultiPolygonGeometry = {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly Ring[])[];
};
export type AreaGeometry = PolygonGeometry | MultiPolygonGeometry;

/** A rectangle of longitudes and latitudes, edges included; `west` is never larger than `east`. */
export interface LonLatBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}
