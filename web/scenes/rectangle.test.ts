import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillRectangle, planSize, toTile } from './rectangle.ts';

test('pictures have square pixels, even sides and no side above the limit', () => {
  assert.deepEqual(planSize([0, 0, 1, 1], 720), { widthPx: 720, heightPx: 720 });
  const north = planSize([0, 60, 1, 61], 720);
  assert.ok(Math.abs(north.heightPx / north.widthPx - 1 / Math.cos((60.5 * Math.PI) / 180)) < 0.01);
  assert.deepEqual(planSize([0, 0, 1, 10], 1080), { widthPx: 204, heightPx: 2048 });
  assert.deepEqual(planSize([0, 0, 10, 0.001], 101), { widthPx: 102, heightPx: 2 });
});

test('a rectangle in metres replaces the tile position', () => {
  const size = { widthPx: 400, heightPx: 300 };
  const path = 'https://host/api/render/S2/x/NDVI/{z}/{x}/{y}';
  assert.equal(
    fillRectangle(path, [0, 0, 180, 85.0511287798066], size),
    'https://host/api/render/S2/x/NDVI/0/0.00;20037508.34;3857/20037508.34;0.00;3857?TILE_SIZE=400,300',
  );
  assert.match(
    fillRectangle(`${path}?CALIBRATE=1`, [360, 0, 361, 1], size),
    /\/0\/0\.00;111319\.49;3857\/.*\?CALIBRATE=1&TILE/,
  );
});

test('toTile finds the tile of a location, also beyond the antimeridian and near the poles', () => {
  // The tile of docs/use/clients.md, and the corners of the world.
  assert.deepEqual(toTile(-122.41, 48.22, 12), { x: 655, y: 1420 });
  assert.deepEqual(toTile(-122.41 + 360, 48.22, 12), { x: 655, y: 1420 });
  assert.deepEqual(toTile(-180, 89, 3), { x: 0, y: 0 });
  assert.deepEqual(toTile(179.9999, -89, 3), { x: 7, y: 7 });
});
