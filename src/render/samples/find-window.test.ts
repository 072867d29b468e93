import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { imageBounds, intersectBounds } from './find-window.ts';

const toAsset = (epsg: number, [west, pixel, north]: readonly [number, number, number], size = 100): Asset =>
  ({ epsg, transform: [west, pixel, 0, north, 0, -pixel], width: size, height: size }) as unknown as Asset;

test('the window of an image is its rectangle, with a sixteenth to spare', () => {
  assert.deepEqual(imageBounds(toAsset(4326, [10, 0.16, 50])), { west: 9, south: 33, east: 27, north: 51 });
});

test('an image across the antimeridian has one continuous rectangle', () => {
  const bounds = imageBounds(toAsset(32760, [780_000, 1_098, 8_300_000]));
  assert.ok(bounds !== null && bounds.east - bounds.west < 3, JSON.stringify(bounds));
  const beyond = { west: -179.9, south: -16, east: -179.8, north: -15.8 };
  const before = { west: 179.8, south: -16, east: 179.9, north: -15.8 };
  for (const place of [beyond, before]) assert.ok(intersectBounds(bounds, place) !== null);
});

test('there is no rectangle near the poles', () => {
  assert.equal(imageBounds(toAsset(3413, [-500_000, 10_000, 500_000])), null);
});

test('rectangles meet whichever turn of the globe they are counted in', () => {
  const scene = { west: 178, south: 10, east: 182, north: 20 };
  const meet = (west: number, east: number) => intersectBounds(scene, { west, south: 0, east, north: 90 });
  assert.deepEqual(meet(-180, 180), scene);
  assert.deepEqual(meet(-179, -170), { west: 181, south: 10, east: 182, north: 20 });
  assert.deepEqual(meet(170, 179), { west: 178, south: 10, east: 179, north: 20 });
  assert.deepEqual(meet(179, 181), { west: 179, south: 10, east: 181, north: 20 });
  assert.equal(meet(0, 90), null);
  assert.equal(intersectBounds(scene, { west: 170, south: 30, east: 190, north: 40 }), null);
});
