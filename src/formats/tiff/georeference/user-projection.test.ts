import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGeoKeyMap } from './geo-keys.ts';
import { toUserProjection } from './user-projection.ts';

/** Keys of a projected system, user defined, with these added. */
const projected = (...more: (readonly [number, number])[]) =>
  toUserProjection(new Map([[1024, 1], [3072, 32_767], [3076, 9001], ...more] as [number, number][]));

test('a MODIS sinusoidal projection on a sphere is read', () => {
  const keys = [
    [3075, 24],
    [3088, 0],
    [2057, 6_371_007.181],
    [2058, 6_371_007.181],
  ] as const;
  assert.equal(projected(...keys), '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs');
});

test('polar stereographic has its latitude of true scale, at both poles', () => {
  const keys = [
    [2048, 4326],
    [3075, 15],
    [3095, -45],
  ] as const;
  assert.match(projected(...keys, [3081, 70])!, /^\+proj=stere \+lat_0=90 \+lat_ts=70 \+lon_0=-45 /);
  assert.match(projected(...keys, [3081, -71])!, /^\+proj=stere \+lat_0=-90 \+lat_ts=-71 /);
  assert.match(projected(...keys, [3081, 90], [3092, 0.994])!, /^\+proj=stere \+lat_0=90 \+k=0.994 /);
});

test('UTM is read from its projection number instead of a code', () => {
  const figure = [2057, 6_378_137] as const;
  const grs80 = [2059, 298.257222101] as const;
  assert.equal(
    projected([3074, 16_125], figure, grs80),
    '+proj=utm +zone=25 +south +ellps=GRS80 +units=m +no_defs',
  );
  assert.equal(projected([3074, 16_032], figure, grs80), '+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs');
  assert.equal(projected([3074, 16_061], figure, grs80), null);
});

test('false origins in feet become metres, and angles in grads become degrees', () => {
  const keys = [
    [2048, 4269],
    [3075, 11],
    [3078, 34],
    [3079, 40.5],
    [3081, 0],
    [3080, -120],
  ] as const;
  const feet = projected(...keys, [3076, 9003], [3083, 3937]);
  assert.match(feet!, /\+y_0=1200 \+datum=NAD83 \+units=us-ft \+no_defs$/);
  assert.match(projected(...keys, [2054, 9105])!, /\+lon_0=-108 \+lat_1=30.6 /);
});

test('unsupported projections are null, never a guess', () => {
  assert.equal(projected([2048, 4326], [3075, 3]), null, 'a method of its own');
  assert.equal(projected([3075, 24]), null, 'no figure of the earth');
  assert.equal(projected([3075, 24], [2057, -1]), null, 'a figure inside out');
  assert.equal(toUserProjection(new Map()), null);
  assert.equal(toUserProjection(new Map([[2048, 4326]])), null, 'neither projected nor geographic');
});

test('a geographic CRS with its own ellipsoid is read', () => {
  const keys = new Map([
    [1024, 2],
    [2048, 32_767],
    [2057, 6_378_135],
    [2059, 298.26],
  ] as [number, number][]);
  assert.equal(toUserProjection(keys), '+proj=longlat +ellps=WGS72 +no_defs');
});

test('keys are in the directory or among the doubles; keys that point elsewhere are ignored', () => {
  const directory = [1, 1, 0, 4, 1024, 0, 1, 1, 2057, 34_736, 1, 1, 2059, 34_736, 1, 9, 1026, 34_737, 5, 0];
  assert.deepEqual(
    [...toGeoKeyMap(directory, [5, 6_371_000])],
    [
      [1024, 1],
      [2057, 6_371_000],
    ],
  );
});
