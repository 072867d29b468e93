import fc from 'fast-check';
import type { FieldFilter, FieldValue, NewScene, SceneQuery } from '../../src/catalog/index.ts';
import { box, makeScene } from '../../src/catalog/testing/make-scene.ts';
import type { AreaGeometry, LonLat, PointGeometry, PolygonGeometry, Ring } from '../../src/geo/index.ts';

/*
 * Few different values of everything, so that filters hit, edges are shared and ties are common: shapes lie on a
 * lattice of half degrees, by the prime meridian and by the antimeridian.
 */

const anyLat = fc.integer({ min: -6, max: 6 }).map((n) => n / 2);
const anyLon = fc
  .tuple(fc.constantFrom(0, 178.5), fc.integer({ min: -5, max: 6 }))
  .map(([around, n]) => around + n / 2);
const anySize = fc.integer({ min: 1, max: 6 }).map((n) => n / 2);

const anyBox = fc
  .tuple(anyLon, anyLat, anySize, anySize)
  .map(([west, south, width, height]) => box(west, south, west + width, south + height));

const anyTriangle = fc
  .tuple(anyLon, anyLat, anySize, anySize)
  .map(([lon, lat, width, height]): AreaGeometry => {
    const corner: LonLat = [lon, lat];
    return {
      type: 'Polygon',
      coordinates: [[corner, [lon + width, lat], [lon + width / 3, lat + height], corner]],
    };
  });

const anyHoled = fc.tuple(anyLon, anyLat).map(([lon, lat]): AreaGeometry => {
  const [outer, hole] = [box(lon, lat, lon + 3, lat + 3), box(lon + 1, lat + 1, lon + 2, lat + 2)];
  return { type: 'Polygon', coordinates: [...outer.coordinates, ...hole.coordinates] };
});

const rings = (west: number, south: number, east: number, north: number): readonly Ring[] =>
  box(west, south, east, north).coordinates;

/** What lies over the antimeridian, written in two parts within ±180. */
const anyCut = fc.tuple(anySize, anySize, anyLat, anySize).map(
  ([before, behind, south, height]): AreaGeometry => ({
    type: 'MultiPolygon',
    coordinates: [
      rings(180 - before, south, 180, south + height),
      rings(-180, south, behind - 180, south + height),
    ],
  }),
);

const anyTwo = fc.tuple(anyLon, anyLat).map(
  ([lon, lat]): AreaGeometry => ({
    type: 'MultiPolygon',
    coordinates: [rings(lon, lat, lon + 1, lat + 1), rings(lon + 2, lat + 0.5, lon + 3, lat + 2)],
  }),
);

const anyArea = fc.oneof(anyBox, anyTriangle, anyHoled, anyCut, anyTwo);

/** Small enough to lie in footprints, or large enough to hold them. */
const anyExtreme = fc
  .tuple(anyLon, anyLat, fc.constantFrom(0.25, 0.5, 4, 9))
  .map(([west, south, size]) => box(west - size / 4, south - size / 2, west + size, south + size));

/** An area over the antimeridian, with longitudes that run on. */
export const anyCrossing: fc.Arbitrary<PolygonGeometry> = fc
  .tuple(anySize, anySize, anyLat, anySize, anySize)
  .map(([before, behind, south, height, lean]) => {
    const [west, east, north] = [180 - before, 180 + behind, south + height];
    const corner: LonLat = [west, south];
    return {
      type: 'Polygon',
      coordinates: [[corner, [east, south], [east + lean, north], [west + lean / 3, north], corner]],
    };
  });

/** A box wider than half a turn, and how it lies in the plane: its longitudes are as written. */
export const anyWide: fc.Arbitrary<PolygonGeometry> = fc
  .tuple(
    fc.integer({ min: -358, max: -181 }),
    fc.integer({ min: 181, max: 358 }),
    fc.integer({ min: -12, max: 0 }),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([west, east, south, north]) => box(west / 2, south / 2, east / 2, north / 2));

/** The same area in the other ways that callers write it; a ring that leaps runs counter-clockwise. */
export function toOtherWays({ coordinates }: PolygonGeometry): readonly AreaGeometry[] {
  const write = (toLon: (lon: number) => number, isReversed = false): PolygonGeometry => ({
    type: 'Polygon',
    coordinates: coordinates.map((ring) => {
      const moved = ring.map(([lon, lat]): LonLat => [toLon(lon), lat]);
      return isReversed ? moved.toReversed() : moved;
    }),
  });
  const leap = (lon: number): number => (lon > 180 ? lon - 360 : lon);
  const leaping = write(leap);
  return [
    leaping,
    write((lon) => lon, true),
    write((lon) => lon - 360),
    { type: 'MultiPolygon', coordinates: [leaping.coordinates] },
  ];
}

const anyPoint = fc
  .tuple(anyLon, anyLat)
  .map(([lon, lat]): PointGeometry => ({ type: 'Point', coordinates: [lon > 180 ? lon - 360 : lon, lat] }));

const anyText = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'aB',
  'é',
  'É',
  'z',
  '10',
  '9',
  '\u{1F6F0}',
  "'; --",
  '\uFFFD',
);
const anyNumber = fc.constantFrom(-3.5, 0, 1, 2, 9, 10, 10.25, 1e-7, 0.1);
const anyDay = fc.integer({ min: 1, max: 9 }).map((n) => `2026-06-0${n}`);
const anyCloud = fc.constantFrom(0, 0.1, 5, 20, 99.99);

/** The fields and what is compared with them; `mixed` holds whatever comes. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<FieldValue>>> = {
  cloudCoverage: anyCloud,
  path: anyNumber,
  name: anyText,
  onAmazon: fc.boolean(),
  mixed: fc.oneof(anyText, anyNumber, fc.boolean()),
};

const anyFields = fc.record(
  Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [name, fc.option(value)])),
  { requiredKeys: [] },
);

/** A catalog: view ids differ, scene ids may not. */
export const anyCatalog: fc.Arbitrary<readonly NewScene[]> = fc
  .array(
    fc.record({
      dataset: fc.constantFrom('sentinel2', 'landsat8', 'modis'),
      day: anyDay,
      scene: fc.integer({ min: 0, max: 30 }),
      footprint: anyArea,
      fields: anyFields,
    }),
    { minLength: 60, maxLength: 90 },
  )
  .map((scenes) =>
    scenes.map(({ dataset, day, scene, footprint, fields }, i) =>
      makeScene(1, {
        viewId: `${dataset}/${i}`,
        sceneId: `scene ${scene}`,
        dataset,
        acquiredAt: `${day}T10:00:00.000Z`,
        footprint,
        fields: fields as NewScene['fields'],
      }),
    ),
  );

const FILTERED = {
  ...FIELDS,
  date: anyDay,
  sceneID: fc.integer({ min: 0, max: 30 }).map((n) => `scene ${n}`),
  satellite: fc.constantFrom('sentinel2', 'landsat8', 'modis'),
};

const anyFilter: fc.Arbitrary<FieldFilter> = fc
  .constantFrom(...Object.entries(FILTERED))
  .chain(([field, anyValue]) =>
    fc.oneof(
      fc
        .array(fc.option(anyValue), { maxLength: 4 })
        .map((values): FieldFilter => ({ field, kind: 'one-of', values })),
      fc
        .array(anyValue, { maxLength: 4 })
        .map((values): FieldFilter => ({ field, kind: 'one-of', values, ignoresCase: true })),
      anyValue.map((from): FieldFilter => ({ field, kind: 'range', from })),
      anyValue.map((from): FieldFilter => ({ field, kind: 'range', from, to: null })),
      fc.constant<FieldFilter>({ field, kind: 'range' }),
      anyValue.map((to): FieldFilter => ({ field, kind: 'range', to })),
      fc
        .tuple(anyValue, anyValue)
        .filter(([from, to]) => typeof from === typeof to)
        .map(([from, to]): FieldFilter => ({ field, kind: 'range', from, to })),
    ),
  );

/** A search of such a catalog. */
export const anyQuery: fc.Arbitrary<SceneQuery> = fc
  .record({
    datasets: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('sentinel2', 'landsat8', 'modis', 'nothing'),
        filters: fc.oneof(fc.constant([]), fc.array(anyFilter, { maxLength: 2 })),
      }),
      { selector: ({ id }) => id, maxLength: 3 },
    ),
    shape: fc.option(
      fc.record({
        geometry: fc.oneof(anyPoint, anyArea, anyExtreme, anyExtreme),
        relation: fc.constantFrom('intersects', 'contains', 'within'),
      }),
      { nil: undefined },
    ),
    sort: fc.record({
      field: fc.constantFrom('date', 'date', ...Object.keys(FILTERED), 'no such field'),
      descending: fc.boolean(),
    }),
    offset: fc.constantFrom(0, 0, 1, 5, 40, 1000),
    limit: fc.constantFrom(1, 5, 50, 1000),
  })
  .map(({ shape, ...query }) => (shape === undefined ? query : { ...query, shape }));
