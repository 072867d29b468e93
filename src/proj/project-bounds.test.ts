import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridBounds, MERCATOR_HALF_SIDE_M, tileGrid } from '../geo/index.ts';
import { projectBounds } from './project-bounds.ts';

const HALF = MERCATOR_HALF_SIDE_M;
const isNear = (actual: number, wanted: number, within: number): void =>
  assert.ok(Math.abs(actual - wanted) <= within, `${actual} is not ${wanted}`);

test('the world in degrees is the world in metres as far as Web Mercator extends', () => {
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
