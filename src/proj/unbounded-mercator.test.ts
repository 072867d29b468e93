import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeProjection } from './projection.ts';
import { fromMercator, toMercator, UNBOUNDED_MERCATOR } from './unbounded-mercator.ts';

test('inside of the map it agrees with EPSG:3857 of proj4', () => {
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

test('it goes on beyond the antimeridian, and has no poles', () => {
  assert.ok(Math.abs(fromMercator(30_000_000, 0)[0] - 269.494585) < 1e-6);
  assert.ok(Math.abs(toMercator(270, 0)[0] - 30_056_262.514) < 1e-3);
  for (const lat of [90, -90, 91, Number.NaN]) assert.ok(Number.isNaN(toMercator(0, lat)[1]));
  assert.ok(Number.isNaN(fromMercator(Number.POSITIVE_INFINITY, 0)[0]));
  assert.equal(makeProjection(UNBOUNDED_MERCATOR, 4326).isDirect, true);
});
