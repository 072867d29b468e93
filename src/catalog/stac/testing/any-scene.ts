import fc from 'fast-check';
import type { FieldType, Sensor } from '../../../sensors/index.ts';
import { parseViewId, sensors } from '../../../sensors/index.ts';
import type { Asset } from '../../asset.ts';
import type { Calibration, CloudMask } from '../../product-details.ts';
import type { FieldValue, NewScene } from '../../scene.ts';

/** Numbers that survive JSON, which has no minus zero. */
const number = fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0);
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map((value) => value + 0);
const side = fc.integer({ min: 1, max: 200_000 });
const numbers = fc.array(number, { maxLength: 5 });
const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [name]: given }));

const lattice = fc.tuple(numbers, numbers).chain(([cols, rows]) => {
  const coordinates = fc.array(number, {
    minLength: cols.length * rows.length,
    maxLength: cols.length * rows.length,
  });
  return fc.record({ cols: fc.constant(cols), rows: fc.constant(rows), x: coordinates, y: coordinates });
});

const asset: fc.Arbitrary<Asset> = fc
  .tuple(
    fc.record({
      href: fc.constantFrom('scenes/a/B04.tif', '/srv/a.jp2', 'https://x.example/a.tif?v=1', 's3://b/c.tif'),
      bandIndex: fc.integer({ min: 0, max: 10 }),
      transform: fc.tuple(number, number, number, number, number, number),
      width: side,
      height: side,
      type: fc.constantFrom('uint8', 'uint16', 'int16', 'float32'),
      nodata: fc.option(number),
      scale: number,
      offset: number,
      overviews: fc.array(fc.record({ width: side, height: side }), { maxLength: 4 }),
    }),
    fc.oneof(
      fc.record({ epsg: fc.integer({ min: 1_024, max: 99_999 }) }),
      fc.record({
        epsg: fc.constantFrom(0, 32631),
        proj: fc.constantFrom('+proj=sinu +R=6371007.181', 'PROJCRS["x"]'),
      }),
    ),
    optional('lattice', lattice),
    optional('sidecars', fc.constant(['.ovr', '.tfw'])),
    optional('stamps', fc.array(fc.string({ minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 3 })),
  )
  .map((parts) => Object.assign({}, ...parts) as Asset);

const table = fc.record({ lines: numbers, pixels: numbers, values: numbers });
const block = fc.record({
  firstLine: number,
  lastLine: number,
  firstPixel: number,
  lastPixel: number,
  lines: numbers,
  values: numbers,
});
const linear = fc.record({ mult: number, add: number });
const calibration: fc.Arbitrary<Calibration> = fc.record({
  earthSunDistanceAu: fc.option(number),
  bands: fc.dictionary(
    fc.constantFrom('B04', 'VV'),
    fc
      .tuple(
        optional('radiance', linear),
        optional('reflectance', linear),
        optional('thermal', fc.record({ k1: number, k2: number })),
        optional('sigmaNought', table),
        optional('noise', fc.record({ range: table, azimuth: fc.array(block, { maxLength: 2 }) })),
      )
      .map((parts) => Object.assign({}, ...parts)),
    { noNullPrototype: true },
  ),
});
const cloudMask: fc.Arbitrary<CloudMask> = fc.oneof(
  fc
    .tuple(
      fc.record({
        kind: fc.constant('polygons' as const),
        href: fc.constant('a/b.gml'),
        epsg: fc.constant(32631),
      }),
      optional('stamp', fc.string({ minLength: 1, maxLength: 80 })),
    )
    .map(([mask, more]) => ({ ...mask, ...more })),
  fc.record({ kind: fc.constant('flags' as const), asset }),
  fc.record({ kind: fc.constant('classes' as const), band: fc.constant('SCL') }),
  fc.record({
    kind: fc.constant('quality' as const),
    band: fc.constant('BQA'),
    layout: fc.constantFrom('pre-collection' as const, 'collection-1' as const, 'collection-2' as const),
  }),
);

const position = fc.tuple(within(-180, 180), within(-90, 90));
const polygon = fc.array(fc.array(position, { minLength: 4, maxLength: 8 }), { minLength: 1, maxLength: 2 });
const footprint = fc.oneof(
  fc.record({ type: fc.constant('Polygon' as const), coordinates: polygon }),
  fc.record({
    type: fc.constant('MultiPolygon' as const),
    coordinates: fc.array(polygon, { minLength: 1, maxLength: 3 }),
  }),
);

const VALUES: Readonly<Record<FieldType, fc.Arbitrary<FieldValue>>> = {
  string: fc.string(),
  number,
  boolean: fc.boolean(),
  date: fc.constant('2026-06-21'),
};

/** Any of a sensor's fields, with values of their types. */
const fieldsOf = ({ hitFields }: Sensor): fc.Arbitrary<Record<string, FieldValue>> =>
  fc
    .record(
      Object.fromEntries(Object.entries(hitFields).map(([name, type]) => [name, fc.option(VALUES[type])])),
      { requiredKeys: [] },
    )
    .map((fields) => ({ ...fields }) as Record<string, FieldValue>);

/** Any scene that a record can hold. */
export const anyScene: fc.Arbitrary<NewScene> = fc
  .tuple(
    fc.constantFrom(...sensors).chain((sensor) => {
      const { viewId, date } = parseViewId(`${sensor.abbreviation}/${sensor.sceneName.example}`);
      return fc.record({
        viewId: fc.constant(viewId),
        dataset: fc.constant(sensor.dataset),
        acquiredAt: fc
          .integer({ min: 0, max: 86_399_999 })
          .map((ms) => new Date(Date.parse(date) + ms).toISOString()),
        fields: fieldsOf(sensor),
      });
    }),
    fc.record({
      sceneId: fc.string({ minLength: 1, maxLength: 60 }),
      footprint,
      cloudPercent: fc.option(within(0, 100)),
      sunElevationDeg: fc.option(within(-90, 90)),
      sunAzimuthDeg: fc.option(within(-180, 360)),
      coveragePercent: fc.option(within(0, 100)),
      assets: fc.dictionary(fc.constantFrom('B02', 'B04', 'VV', 'R'), asset, {
        minKeys: 1,
        noNullPrototype: true,
      }),
      provenance: fc.constantFrom('demo', 'folder', 'stac'),
    }),
    optional('frame', footprint),
    optional('productId', fc.string({ minLength: 1, maxLength: 80 })),
    optional('calibration', calibration),
    optional('cloudMask', cloudMask),
    optional('origin', fc.record({ fingerprint: fc.string({ minLength: 1 }), processed: fc.string() })),
    optional('indexedAt', fc.constant('2026-06-22T01:02:03.456Z')),
  )
  // Plain objects, as stores return them: some generators make objects without a prototype.
  .map((parts) => structuredClone(Object.assign({}, ...parts)) as NewScene);

/** A file, always the same. */
export const [anAsset] = structuredClone(fc.sample(asset, { numRuns: 1, seed: 7 })) as [Asset];

/** A scene without cloud mask, always the same. */
export const [{ cloudMask: _, ...aScene }] = fc.sample(anyScene, { numRuns: 1, seed: 7 }) as [NewScene];
