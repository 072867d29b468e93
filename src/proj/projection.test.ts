import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gridBounds, MERCATOR_HALF_SIDE_M, tileGrid } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { fromMercator, makeProjection, projectBounds, toMercator, UNBOUNDED_MERCATOR } from './projection.ts';

const close = (got: readonly number[], wanted: readonly number[], tolerance: number): void => {
  assert.equal(got.length, wanted.length);
  for (const [i, value] of got.entries()) {
    assert.ok(Math.abs(value - wanted[i]!) <= tolerance, `${got} is not ${wanted}`);
  }
};

// Made with PROJ 9.1.1 through GDAL 3.6.2 (osr.CoordinateTransformation, x before y), seven decimals.
const known = [
  { from: 4326, to: 3857, position: [34.8046875, 48.22467265], result: [3874440.089719, 6144314.0817483] },
  { from: 4326, to: 32636, position: [35, 48.5], result: [647740.0771482, 5373807.1673139] },
  { from: 4326, to: 32736, position: [35, -2.5], result: [722384.8212861, 9723503.7701388] },
  { from: 4326, to: 32601, position: [-178.5, 71], result: [445500.1844681, 7878071.3472272] },
  { from: 32633, to: 4326, position: [300000, 7900000], result: [9.4552353, 71.1204852] },
  { from: 3857, to: 32631, position: [250000, 6250000], result: [444673.3881848, 5411418.301643] },
] as const;

test('known positions agree with PROJ', () => {
  for (const { from, to, position, result } of known) {
    const tolerance = to === 4326 ? 1e-7 : 1e-6;
    close(makeProjection(from, to).forward(position[0], position[1]), result, tolerance);
  }
});

test('the inverse inverts, in every zone', () => {
  const zones = fc.tuple(fc.constantFrom(32600, 32700), fc.integer({ min: 1, max: 60 }));
  const location = fc.tuple(
    fc.double({ min: -6, max: 6, noNaN: true }),
    fc.double({ min: -80, max: 84, noNaN: true }),
  );
  fc.assert(
    fc.property(zones, location, ([family, zone], [offset, lat]) => {
      const centre = zone * 6 - 183;
      const { forward, inverse } = makeProjection(4326, family + zone);
      const [lon, backLat] = inverse(...forward(centre + offset, lat));
      const turn = Math.round((lon - centre - offset) / 360) * 360;
      close([lon - turn, backLat], [centre + offset, lat], 1e-8);
    }),
    { numRuns: casesOf(300) },
  );
});

test('a southern zone is the northern one with 10,000 km added', () => {
  const [x, y] = makeProjection(4326, 32636).forward(34, -20);
  close(makeProjection(4326, 32736).forward(34, -20), [x, y + 1e7], 1e-6);
});

test('equal CRSs change nothing', () => {
  assert.deepEqual(makeProjection(32636, 32636).forward(1.5, 2.5), [1.5, 2.5]);
});

test('a position without a counterpart is NaN in both coordinates', () => {
  const toMercator = makeProjection(4326, 3857);
  for (const [x, y] of [
    [0, 90],
    [0, -90.001],
    [Number.NaN, 0],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    assert.deepEqual(toMercator.forward(x, y), [Number.NaN, Number.NaN]);
  }
  assert.deepEqual(makeProjection(32636, 4326).forward(1e300, 1e300), [Number.NaN, Number.NaN]);
  assert.deepEqual(makeProjection(4326, 4326).forward(Number.NaN, 1), [Number.NaN, Number.NaN]);
  assert.deepEqual(makeProjection(4326, 32636).forward(33, 91), [Number.NaN, Number.NaN]);
});

test('unknown codes are refused by name', () => {
  for (const epsg of [0, -1, 2154, 32600, 32662, 32700, 32762, 26924, 25827, 25839, 32636.5, Number.NaN]) {
    assert.throws(
      () => makeProjection(4326, epsg),
      { tag: 'unsupported', code: 'unknown-crs' },
      String(epsg),
    );
  }
});

const HALF = MERCATOR_HALF_SIDE_M;
const isNear = (actual: number, wanted: number, within: number): void =>
  assert.ok(Math.abs(actual - wanted) <= within, `${actual} is not ${wanted}`);

test('the world in degrees equals the world in metres as far as Web Mercator extends', () => {
  const world = projectBounds(
    { minX: -180, minY: -85.0511287798066, maxX: 180, maxY: 85.0511287798066 },
    4326,
    3857,
  );
  isNear(world!.minX, -HALF, 1e-6);
  isNear(world!.maxX, HALF, 1e-6);
  isNear(world!.maxY, HALF, 1e-4);
});

test('the bounds of a tile in UTM include its curved sides', () => {
  const bounds = gridBounds(tileGrid({ z: 8, x: 129, y: 94 }));
  const { minX, maxX, minY, maxY } = projectBounds(bounds, 3857, 32631)!;
  assert.ok(maxX - minX > 100_000 && maxY - minY > 100_000);
  const degrees = projectBounds(bounds, 3857, 4326)!;
  isNear(degrees.minX, (129 / 256) * 360 - 180, 1e-9);
  isNear(degrees.maxX, (130 / 256) * 360 - 180, 1e-9);
});

test('across the antimeridian a rectangle stays in one piece', () => {
  // Zone 60 ends at 180° east; its metres continue beyond.
  const beyond = { minX: 700_000, minY: 5_000_000, maxX: 800_000, maxY: 5_100_000 };
  const { minX, maxX } = projectBounds(beyond, 32660, 4326)!;
  assert.ok(maxX - minX < 2, `${minX} to ${maxX}`);
  assert.ok((minX < 180 && maxX > 180) || (minX < -180 && maxX > -180), `${minX} to ${maxX}`);
  const metres = projectBounds({ minX: 179, minY: 0, maxX: 181, maxY: 1 }, 4326, 3857)!;
  isNear(metres.maxX - metres.minX, (2 / 360) * 2 * HALF, 1e-6);
});

test('bounds without a counterpart are null', () => {
  assert.equal(projectBounds({ minX: 0, minY: 80, maxX: 1, maxY: 90 }, 4326, 3857), null);
});

test('inside the map it agrees with EPSG:3857 of proj4', () => {
  const { forward, inverse } = makeProjection(3857, 4326);
  const metres = fc.double({ min: -2e7, max: 2e7, noNaN: true });
  fc.assert(
    fc.property(metres, metres, (x, y) => {
      const [lon, lat] = forward(x, y);
      const [ownLon, ownLat] = fromMercator(x, y);
      assert.ok(Math.abs(ownLon - lon) < 1e-12 * 180 && Math.abs(ownLat - lat) < 1e-12 * 90);
      const [backX, backY] = inverse(ownLon, ownLat);
      const [ownX, ownY] = toMercator(ownLon, ownLat);
      assert.ok(Math.abs(ownX - backX) < 1e-6 && Math.abs(ownY - backY) < 1e-5);
    }),
  );
});

test('it continues beyond the antimeridian, and has no poles', () => {
  assert.ok(Math.abs(fromMercator(30_000_000, 0)[0] - 269.494585) < 1e-6);
  assert.ok(Math.abs(toMercator(270, 0)[0] - 30_056_262.514) < 1e-3);
  for (const lat of [90, -90, 91, Number.NaN]) assert.ok(Number.isNaN(toMercator(0, lat)[1]));
  assert.ok(Number.isNaN(fromMercator(Number.POSITIVE_INFINITY, 0)[0]));
  assert.equal(makeProjection(UNBOUNDED_MERCATOR, 4326).isDirect, true);
});
