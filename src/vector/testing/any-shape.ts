import * as fc from 'fast-check';
import type { Place, ShapeGeometry } from '../shapes.ts';

const place = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }).map((x) => x + 0),
  fc.double({ min: -90, max: 90, noNaN: true }).map((y) => y + 0),
) as fc.Arbitrary<Place>;
const line = fc.array(place, { minLength: 2, maxLength: 6 });
const ring = fc.array(place, { minLength: 3, maxLength: 6 }).map((corners) => [...corners, corners[0]!]);
const rings = fc.array(ring, { minLength: 1, maxLength: 3 });

/** Polygons and multi-polygons, which may cross themselves. */
export const anyPolygon: fc.Arbitrary<ShapeGeometry> = fc.oneof(
  rings.map((coordinates) => ({ type: 'Polygon' as const, coordinates })),
  fc
    .array(rings, { minLength: 1, maxLength: 3 })
    .map((coordinates) => ({ type: 'MultiPolygon' as const, coordinates })),
);

const anySimple: fc.Arbitrary<ShapeGeometry> = fc.oneof(
  place.map((coordinates) => ({ type: 'Point' as const, coordinates })),
  fc.constant({ type: 'Point' as const, coordinates: [] as const }),
  fc
    .array(place, { minLength: 1, maxLength: 4 })
    .map((coordinates) => ({ type: 'MultiPoint' as const, coordinates })),
  line.map((coordinates) => ({ type: 'LineString' as const, coordinates })),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((coordinates) => ({ type: 'MultiLineString' as const, coordinates })),
  fc.constantFrom<ShapeGeometry>(
    { type: 'Polygon', coordinates: [] },
    { type: 'MultiPolygon', coordinates: [] },
    { type: 'LineString', coordinates: [] },
  ),
  anyPolygon,
);

/** Geometries of every type of GeoJSON, some empty, some collections. */
export const anyShape: fc.Arbitrary<ShapeGeometry> = fc.oneof(
  { weight: 4, arbitrary: anySimple },
  {
    weight: 1,
    arbitrary: fc
      .array(anySimple, { maxLength: 3 })
      .map((geometries) => ({ type: 'GeometryCollection' as const, geometries })),
  },
);
