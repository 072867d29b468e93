import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaKm2 } from './area-size.ts';
import type { AreaGeometry, Ring } from './geometry.ts';

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: Ring[]): AreaGeometry => ({ type: 'Polygon', coordinates: rings });

test('the whole globe has the surface of WGS 84', () => {
  assert.ok(Math.abs(areaKm2(polygon(box(-180, -90, 180, 90))) - 510_065_621.724) < 0.01);
});

test('parts add up, holes are subtracted, direction does not matter', () => {
  const whole = areaKm2(polygon(box(10, 40, 12, 42)));
  const halves = areaKm2({
    type: 'MultiPolygon',
    coordinates: [[box(10, 40, 11, 42)], [box(11, 40, 12, 42)]],
  });
  assert.ok(Math.abs(whole - halves) < 1e-6);
  const holed = areaKm2(polygon(box(10, 40, 12, 42), box(11, 40, 12, 42).toReversed()));
  assert.ok(Math.abs(holed - whole / 2) < 1e-6);
  assert.equal(areaKm2(polygon(box(10, 40, 12, 42).toReversed())), whole);
});

test('a field of a hectare at 50 degrees north is measured to a square decimetre', () => {
  // A degree is 71,695.7 m by 111,229.0 m there (meridian and parallel of WGS 84).
  const [width, height] = [100 / 71_695.7, 100 / 111_229];
  const km2 = areaKm2(polygon(box(7, 50 - height / 2, 7 + width, 50 + height / 2)));
  assert.ok(Math.abs(km2 * 1e6 - 10_000) < 0.1, `${km2 * 1e6} m²`);
});
