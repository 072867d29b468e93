import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import { epsgOf, fromUtm, toUtm, zoneAt } from './utm.ts';

test('zones match the map', () => {
  assert.equal(epsgOf(zoneAt(-122.4, 48.2)), 32_610);
  assert.equal(epsgOf(zoneAt(-180, -1)), 32_701);
  assert.equal(epsgOf(zoneAt(179.9, 1)), 32_660);
});

test('metres and degrees match PROJ, to a tenth of a millimetre', () => {
  for (const [lon, lat] of [
    [-122.4, 48.2],
    [2.9, 42.7],
    [151.2, -33.9],
    [-68.3, -54.8],
    [14.99, 78.2],
    [0.01, 0],
  ] as const) {
    const zone = zoneAt(lon, lat);
    const { forward } = makeProjection(4326, epsgOf(zone));
    const [x, y] = toUtm(zone, lon, lat);
    const [expectedX = 0, expectedY = 0] = forward(lon, lat);
    assert.ok(Math.hypot(x - expectedX, y - expectedY) < 1e-4, `${lon}, ${lat}: ${x}, ${y}`);
    const [backLon, backLat] = fromUtm(zone, x, y);
    assert.ok(Math.abs(backLon - lon) < 1e-9 && Math.abs(backLat - lat) < 1e-9, `${backLon}, ${backLat}`);
  }
});
