import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileGrid } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { groundSizes, mercatorBounds, toLatitude, toLongitude, toUnbounded, turnOf } from './mercator.ts';

test('longitudes and latitudes match PROJ', () => {
  const { inverse } = makeProjection(4326, 3857);
  for (const [x, y] of [
    [0, 0],
    [1e6, 5e6],
    [-1.9e7, -1.9e7],
  ] as const) {
    const [lon, lat] = inverse(x, y);
    assert.ok(Math.abs(toLongitude(x) - lon) < 1e-11 && Math.abs(toLatitude(y) - lat) < 1e-11);
  }
});

test('the unbounded CRS agrees with EPSG:3857 inside the map and continues outside', () => {
  const unbounded = toUnbounded({ epsg: 3857, proj: null as string | null });
  const { forward } = makeProjection(unbounded.proj as string, 4326);
  const [lon, lat] = forward(1e6, 5e6);
  assert.ok(Math.abs(lon - toLongitude(1e6)) < 1e-11 && Math.abs(lat - toLatitude(5e6)) < 1e-11);
  assert.ok(Math.abs(forward(-20037508.342789244 - 1000, 0)[0] - toLongitude(-20038508.342789244)) < 1e-9);
  assert.ok(forward(20037508.342789244 + 1000, 0)[0] > 180);
});

test('the pixel size of a tile row follows from its latitude', () => {
  // 156543.03392804097 m / 2^12 at the equator, less by the cosine of the latitude towards the poles
  const equator = groundSizes(tileGrid({ z: 12, x: 2048, y: 2047 }));
  assert.ok(Math.abs((equator.at(-1) as number) - 38.2185) < 1e-4);
  const sizes = groundSizes(tileGrid({ z: 12, x: 2048, y: 1186 }));
  const { north } = mercatorBounds(tileGrid({ z: 12, x: 2048, y: 1186 }));
  assert.ok(Math.abs((sizes[0] as number) - 38.2185 * Math.cos((north * Math.PI) / 180)) < 2e-3);
});

test('CRSs that span the Earth have a full turn, others have none', () => {
  assert.equal(turnOf({ epsg: 4326 }), 360);
  assert.equal(turnOf({ epsg: 3857 }), 40075016.68557849);
  assert.equal(turnOf({ epsg: 32633 }), null);
  assert.equal(turnOf({ epsg: 0, proj: '+proj=longlat +ellps=GRS80 +no_defs' }), 360);
});
